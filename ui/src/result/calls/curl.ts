import type { Json, JsonObject } from '../../../../src/model/json.js';
import type { StoredCall, StoredCalls } from '../../../../src/model/stored-calls.js';
import { shellWord } from '../../../../src/text/shell-word.js';
import { textsAt } from './exchange.js';

/** What a request of a provider looks like. */
interface Wire {
  readonly path: RegExp;
  /** Header with the key, as the shell fills it in. */
  readonly auth?: string;
  readonly headers?: readonly string[];
  readonly body: (sent: Sent) => object;
}

interface Sent {
  readonly model: string | undefined;
  readonly messages: readonly JsonObject[];
  /** Parameters, tools and whether it streams, as they were sent. */
  readonly rest: object;
}

const openaiAuth = 'Authorization: Bearer $OPENAI_API_KEY';

/** Wires whose requests can be written again from what is kept of a call. */
const wires: readonly Wire[] = [
  {
    path: /\/chat\/completions$/,
    auth: openaiAuth,
    body: ({ model, messages, rest }) => ({ model, messages, ...rest }),
  },
  {
    path: /\/responses$/,
    auth: openaiAuth,
    body: ({ model, messages, rest }) => ({ model, input: messages.flatMap(inputItems), ...rest }),
  },
  {
    path: /\/embeddings$/,
    auth: openaiAuth,
    body: ({ model, messages, rest }) => ({
      model,
      input: messages.map(({ content }) => content),
      ...rest,
    }),
  },
  {
    path: /\/messages$/,
    auth: 'x-api-key: $ANTHROPIC_API_KEY',
    headers: ['anthropic-version: 2023-06-01'],
    body: ({ model, messages, rest }) => ({
      model,
      ...system(messages, 'system', (content) => content),
      messages: messages.filter(({ role }) => role !== 'system').map(anthropicMessage),
      ...rest,
    }),
  },
  {
    path: /:(?:streamGenerateContent|generateContent)$/,
    auth: 'x-goog-api-key: $GEMINI_API_KEY',
    body: ({ messages, rest: { stream: _, ...rest } }: Sent & { rest: { stream?: boolean } }) => ({
      ...system(messages, 'systemInstruction', (content) => ({ parts: googleParts(content) })),
      contents: messages.filter(({ role }) => role !== 'system').map(googleContent),
      ...rest,
    }),
  },
  {
    path: /\/api\/chat$/,
    body: ({ model, messages, rest }) => ({
      model,
      messages: messages.map(ollamaMessage),
      ...rest,
    }),
  },
];

/** The call as a command that makes it again, with the key in an environment variable; `undefined` where too little is kept of it. */
export function curlOf(stored: StoredCalls, { method, url, model_call }: StoredCall) {
  const wire = wires.find(({ path }) => path.test(url.replace(/\?.*/, '')));
  if (wire === undefined || model_call?.messages === undefined) return undefined;
  const { model, messages, tools, parameters, stream } = model_call;
  const body = wire.body({
    model,
    messages: textsAt(stored, messages) as JsonObject[],
    rest: {
      ...(tools && { tools: textsAt(stored, tools) }),
      ...parameters,
      ...(stream && { stream }),
    },
  });
  const lines = [
    `curl -X ${method} ${addressOf(url, wire)}`,
    "-H 'Content-Type: application/json'",
    ...(wire.auth === undefined ? [] : [`-H "${wire.auth}"`]),
    ...(wire.headers ?? []).map((header) => `-H ${shellWord(header)}`),
    `-d ${shellWord(JSON.stringify(body))}`,
  ];
  return lines.join(' \\\n  ');
}

/** The address as a word of a shell; values that are not kept are those of environment variables. */
function addressOf(url: string, { auth }: Wire): string {
  // Google takes its key in a header as well.
  const kept = auth?.startsWith('x-goog') ? url.replace(/([?&])key=…(?:&|$)/, '$1') : url;
  const address = kept.replace(/[?&]$/, '');
  if (!address.includes('=…')) return shellWord(address);
  const named = address.replace(/([^?&=]+)=…/g, (_, name: string) => {
    return `${name}=$${name.replace(/\W/g, '_').toUpperCase()}`;
  });
  return `"${named.replace(/[`"\\]/g, encodeURIComponent)}"`;
}

const fieldsOf = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
const listOf = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? (value as JsonObject[]) : [];

/** A text, or content parts, as parts. */
function partsOf(content: Json | undefined): JsonObject[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return listOf(content);
}

interface Told {
  readonly id: Json | undefined;
  readonly name: Json | undefined;
  readonly text: string;
  readonly value: Json;
}

function toolCallsOf(message: JsonObject): Told[] {
  return listOf(message.tool_calls).map(({ id, function: told }) => {
    const { name, arguments: given = '' } = fieldsOf(told);
    const text = typeof given === 'string' ? given : JSON.stringify(given);
    return { id, name, text, value: parsed(text) };
  });
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text === '' ? {} : text;
  }
}

function system(
  messages: readonly JsonObject[],
  name: string,
  toValue: (content: Json) => Json,
): JsonObject {
  const said = messages.find(({ role }) => role === 'system')?.content;
  return said === undefined ? {} : { [name]: toValue(said) };
}

function inputItems(message: JsonObject): JsonObject[] {
  const { role, content } = message;
  if (role === 'tool') {
    return [
      { type: 'function_call_output', call_id: message.tool_call_id ?? '', output: content ?? '' },
    ];
  }
  const textType = role === 'assistant' ? 'output_text' : 'input_text';
  const parts = partsOf(content).map((part) =>
    part.type === 'text' ? { ...part, type: textType } : part,
  );
  const said = typeof content === 'string' ? content : parts;
  return [
    ...(said.length > 0 ? [{ role: role ?? 'user', content: said }] : []),
    ...toolCallsOf(message).map(({ id, name, text }) => ({
      type: 'function_call',
      call_id: id ?? '',
      name: name ?? '',
      arguments: text,
    })),
  ];
}

function anthropicMessage(message: JsonObject): JsonObject {
  const { role, content = '' } = message;
  if (role === 'tool') {
    const result = { type: 'tool_result', tool_use_id: message.tool_call_id ?? '', content };
    return { role: 'user', content: [result] };
  }
  const calls = toolCallsOf(message).map(({ id, name, value }) => ({
    type: 'tool_use',
    id: id ?? '',
    name: name ?? '',
    input: value,
  }));
  return {
    role: role ?? 'user',
    content: calls.length === 0 ? content : [...partsOf(content), ...calls],
  };
}

function googleParts(content: Json | undefined): JsonObject[] {
  return partsOf(content).map((part) => (part.type === 'text' ? { text: part.text ?? '' } : part));
}

function googleContent(message: JsonObject): JsonObject {
  const { role, content, name = '' } = message;
  if (role === 'tool') {
    const answer = typeof content === 'string' ? parsed(content) : (content ?? null);
    return { role: 'user', parts: [{ functionResponse: { name, response: answer } }] };
  }
  const calls = toolCallsOf(message).map(({ name: called, value }) => ({
    functionCall: { name: called ?? '', args: value },
  }));
  return {
    role: role === 'assistant' ? 'model' : 'user',
    parts: [...googleParts(content), ...calls],
  };
}

function ollamaMessage(message: JsonObject): JsonObject {
  const calls = toolCallsOf(message);
  if (calls.length === 0) return message;
  const tool_calls = calls.map(({ name, value }) => ({
    function: { name: name ?? '', arguments: value },
  }));
  return { ...message, tool_calls };
}
