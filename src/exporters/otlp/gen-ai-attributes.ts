import type { Call, CallMessage, ModelExchange, Span } from '../../model/calls/model-call.js';
import type { Json, JsonObject } from '../../model/result.js';
import type { Attributes } from './otlp-json.js';

/** Providers as the conventions name them, where they do; Vertex AI and Gemini share a wire. */
const providerNames: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  google: 'gcp.gen_ai',
  mistral: 'mistral_ai',
  moonshot: 'moonshot_ai',
  xai: 'x_ai',
};

export function modelAttributes(call: Call, exchange: ModelExchange): Attributes {
  const { usage, parameters = {}, provider } = exchange;
  const number = (...keys: string[]) =>
    keys.map((key) => parameterOf(parameters, key)).find((value) => typeof value === 'number');
  const double = (...keys: string[]) => {
    const value = number(...keys);
    return value === undefined ? undefined : { double: value };
  };
  return {
    'gen_ai.operation.name': exchange.operation,
    'gen_ai.provider.name': providerNames[provider] ?? provider,
    'gen_ai.request.model': exchange.model,
    'gen_ai.request.stream': exchange.stream,
    'gen_ai.request.temperature': double('temperature'),
    'gen_ai.request.top_p': double('top_p', 'topP'),
    'gen_ai.request.top_k': double('top_k', 'topK'),
    'gen_ai.request.max_tokens': number(
      ...[
        'max_tokens',
        'max_completion_tokens',
        'max_output_tokens',
        'maxOutputTokens',
        'maxTokens',
      ],
    ),
    'gen_ai.request.frequency_penalty': double('frequency_penalty', 'frequencyPenalty'),
    'gen_ai.request.presence_penalty': double('presence_penalty', 'presencePenalty'),
    'gen_ai.request.seed': number('seed'),
    'gen_ai.response.model': exchange.response_model,
    'gen_ai.response.id': exchange.response_id,
    'gen_ai.response.finish_reasons':
      exchange.finish_reason === undefined ? undefined : [exchange.finish_reason],
    'gen_ai.response.time_to_first_chunk':
      call.first_token === undefined || call.replayed
        ? undefined
        : { double: call.first_token - call.start },
    'gen_ai.usage.input_tokens': usage?.input,
    'gen_ai.usage.cache_read.input_tokens': usage?.cache_read,
    'gen_ai.usage.cache_creation.input_tokens': usage?.cache_write,
    'gen_ai.usage.output_tokens': usage?.output,
    'gen_ai.usage.reasoning.output_tokens': usage?.reasoning,
  };
}

/** A parameter of a request, wherever the wire has it. */
function parameterOf(parameters: JsonObject, key: string): Json | undefined {
  for (const group of ['generationConfig', 'inferenceConfig', 'options']) {
    const inner = parameters[group];
    if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) {
      const value = (inner as JsonObject)[key];
      if (value !== undefined) return value;
    }
  }
  return parameters[key];
}

export function textsOf(value: Json | undefined): readonly string[] | undefined {
  const texts = Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
  return texts.length === 0 ? undefined : texts;
}

export function textAttributes(exchange: ModelExchange): Attributes {
  const { messages, answer, tools, finish_reason, parameters = {} } = exchange;
  const stop = ['stop', 'stop_sequences', 'stopSequences']
    .map((key) => parameterOf(parameters, key))
    .find((value) => value !== undefined);
  const isSystem = ({ role }: CallMessage) => role === 'system' || role === 'developer';
  const system = messages?.filter(isSystem).flatMap((message) => messageParts(message));
  const input = messages?.filter((message) => !isSystem(message)).map(toMessage);
  const output = answer?.map((message) => ({
    ...toMessage(message),
    finish_reason: finish_reason ?? '',
  }));
  const json = (value: readonly unknown[] | undefined) =>
    value === undefined || value.length === 0 ? undefined : JSON.stringify(value);
  return {
    'gen_ai.system_instructions': json(system),
    'gen_ai.input.messages': json(input),
    'gen_ai.output.messages': json(output),
    'gen_ai.tool.definitions': json(tools),
    'gen_ai.request.stop_sequences': typeof stop === 'string' ? [stop] : textsOf(stop),
  };
}

function toMessage(message: CallMessage) {
  return { role: message.role, parts: messageParts(message) };
}

/** A message's parts in the conventions' own shape. */
function messageParts(message: CallMessage): JsonObject[] {
  const { content, tool_calls: calls, tool_call_id: id } = message;
  if (message.role === 'tool') {
    return [
      { type: 'tool_call_response', ...(id !== undefined && { id }), result: content ?? null },
    ];
  }
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
  return [
    ...parts.map((part) =>
      part.type === 'text' || part.type === 'reasoning'
        ? { type: part.type, content: part.text ?? '' }
        : part,
    ),
    ...listOf(calls).map((call) => {
      const definition = (call.function ?? call.custom ?? {}) as JsonObject;
      const args = definition.arguments ?? definition.input ?? null;
      return {
        type: 'tool_call',
        ...(call.id !== undefined && { id: call.id }),
        name: definition.name ?? '',
        arguments: parsed(args),
      };
    }),
  ];
}

function listOf(value: Json | undefined): readonly JsonObject[] {
  const list = Array.isArray(value) ? (value as readonly Json[]) : [];
  return list.filter((item) => typeof item === 'object' && item !== null) as JsonObject[];
}

function parsed(args: Json): Json {
  if (typeof args !== 'string') return args;
  try {
    return JSON.parse(args) as Json;
  } catch {
    return args;
  }
}

export function toolAttributes(
  { id, name, arguments: given, result }: Span,
  texts: boolean,
): Attributes {
  const json = (value: Json | undefined) =>
    texts && value !== undefined ? JSON.stringify(value) : undefined;
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.call.id': id,
    'gen_ai.tool.call.arguments': json(given),
    'gen_ai.tool.call.result': json(result),
  };
}
