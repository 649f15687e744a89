import type { CallMessage } from '../../model/calls/model-call.js';
import type { Json, JsonObject } from '../../model/result.js';
import { countOf, defined, nameOf, objectOf, objectsOf, textOf, without } from './json.js';
import {
  argumentsText,
  assistantMessage,
  contentOf,
  reasoningPart,
  textPart,
  toolMessage,
} from './messages.js';
import { toolsOf } from './openai-chat.js';
import { usageOf } from './usage-fields.js';
import {
  type AnsweredPart,
  type AnswerReader,
  namedError,
  partOfPath,
  type WireFormat,
} from './wire-format.js';

/** Responses of OpenAI. */
export const openaiResponses: WireFormat = {
  provider: 'openai',
  operation: 'chat',
  path: /\/responses$/,
  isRequest: (body) =>
    ['input', 'prompt', 'instructions', 'previous_response_id', 'conversation'].some(
      (key) => body[key] !== undefined,
    ),
  isAnswer: (event) =>
    event.object === 'response' ||
    (typeof event.type === 'string' && event.type.startsWith('response.')),
  isToken: ({ type, item, delta }) =>
    (typeof type === 'string' && type.endsWith('.delta') && delta !== '') ||
    (type === 'response.output_item.added' && callTypes.has(objectOf(item)?.type)),
  isEnd: ({ type }) => typeof type === 'string' && endTypes.has(type),
  readRequest: (body, path) =>
    defined({
      model: nameOf(body.model) ?? partOfPath(path, /\/deployments\/([^/]+)\//),
      messages: requestMessages(body),
      tools: toolsOf(body.tools),
      parameters: without(body, 'model', 'input', 'instructions', 'tools', 'stream'),
    }),
  answerReader: () => new ResponsesReader(),
};

const endTypes = new Set(['response.completed', 'response.incomplete', 'response.failed', 'error']);
const callTypes = new Set<Json | undefined>(['function_call', 'custom_tool_call']);

function requestMessages(body: JsonObject): readonly CallMessage[] {
  const { instructions, input } = body;
  const system = instructions == null ? [] : itemMessages(instructions, 'system');
  return [...system, ...itemMessages(input, 'user')];
}

/** Items as chat messages; the assistant's output of one turn is one message. */
function itemMessages(items: Json | undefined, role: string): readonly CallMessage[] {
  if (typeof items === 'string') return [{ role, content: items }];
  const messages: CallMessage[] = [];
  let turn = new Turn();
  const flush = () => {
    messages.push(...turn.messages());
    turn = new Turn();
  };
  for (const item of objectsOf(items)) {
    const answer = toolAnswer(item);
    const said = textOf(item.role);
    if (answer !== undefined || (said !== undefined && said !== 'assistant')) {
      flush();
      messages.push(answer ?? { role: said ?? role, content: contentOfItem(item) });
    } else turn.add(item);
  }
  flush();
  return messages;
}

/** Output of the assistant between two messages of others. */
class Turn {
  readonly #parts: JsonObject[] = [];
  readonly #calls: JsonObject[] = [];

  add(item: JsonObject): void {
    const { type } = item;
    const id = nameOf(item.call_id) ?? nameOf(item.id);
    const call = { ...(id !== undefined && { id }) };
    const name = nameOf(item.name) ?? '';
    if (type === 'function_call') {
      const args = item.arguments == null ? '' : argumentsText(item.arguments);
      this.#calls.push({ ...call, type: 'function', function: { name, arguments: args } });
    } else if (type === 'custom_tool_call') {
      this.#calls.push({
        ...call,
        type: 'custom',
        custom: { name, input: textOf(item.input) ?? '' },
      });
    } else if (type === 'reasoning') this.#parts.push(reasoningOf(item));
    else if (type === 'message' || item.role === 'assistant') {
      const content = contentOfItem(item);
      const parts = typeof content === 'string' ? [textPart(content)] : content;
      for (const part of parts) this.#parts.push(part);
    } else this.#parts.push(type == null ? { type: 'item_reference', ...without(item) } : item);
  }

  messages(): readonly CallMessage[] {
    const isEmpty = this.#parts.length === 0 && this.#calls.length === 0;
    return isEmpty ? [] : [assistantMessage(this.#parts, this.#calls)];
  }
}

function contentOfItem(item: JsonObject): string | readonly JsonObject[] {
  return typeof item.content === 'string'
    ? item.content
    : contentOf(objectsOf(item.content).map(partOf));
}

function partOf(part: JsonObject): JsonObject {
  if (part.type === 'input_text' || part.type === 'output_text') {
    const hasNotes = Array.isArray(part.annotations) && part.annotations.length > 0;
    const text = textPart(textOf(part.text) ?? '');
    return hasNotes ? { ...text, annotations: part.annotations as Json } : text;
  }
  const url = nameOf(part.image_url);
  if (part.type === 'input_image' && url !== undefined) {
    return { type: 'image_url', image_url: { url, ...defined({ detail: nameOf(part.detail) }) } };
  }
  return part;
}

function reasoningOf(item: JsonObject): JsonObject {
  const texts = [...objectsOf(item.summary), ...objectsOf(item.content)];
  const text = texts.flatMap((part) => textOf(part.text) ?? []).join('\n\n');
  return reasoningPart(text, without(item, 'type', 'summary', 'content', 'status'));
}

/** The answer of a tool: `function_call_output`, `computer_call_output`, … */
function toolAnswer(item: JsonObject): CallMessage | undefined {
  const { type } = item;
  if (type === 'mcp_approval_response') return { role: 'user', content: [item] };
  if (typeof type !== 'string' || !type.endsWith('_call_output')) return undefined;
  const { output } = item;
  const content = Array.isArray(output) ? contentOf(objectsOf(output).map(partOf)) : (output ?? '');
  return toolMessage(nameOf(item.call_id) ?? nameOf(item.id), content);
}

/** An item of the output that comes in pieces. */
interface ItemPieces {
  item: JsonObject;
  readonly texts: Map<string, string>;
}

/** Puts a response together, streamed or not. */
class ResponsesReader implements AnswerReader {
  readonly #items: ItemPieces[] = [];
  /** The last item with each index: some servers give all the same. */
  readonly #open = new Map<Json | undefined, ItemPieces>();
  #response: JsonObject = {};
  #error: string | undefined;

  push(event: JsonObject): void {
    const type = textOf(event.type) ?? '';
    const response = event.object === 'response' ? event : objectOf(event.response);
    if (response !== undefined) this.#response = { ...this.#response, ...without(response) };
    if (type === 'error') this.#error ??= namedError(event) ?? namedError({ error: event });
    else if (type.startsWith('response.output_item.')) {
      const item = objectOf(event.item) ?? {};
      const key = event.output_index ?? item.id;
      const known = type === 'response.output_item.done' ? this.#open.get(key) : undefined;
      const pieces = known ?? this.#begin(key);
      pieces.item = item;
      pieces.texts.clear();
    } else if (type.endsWith('.delta')) this.#grow(event, type);
  }

  read(): AnsweredPart {
    const response = this.#response;
    const usage = objectOf(response.usage);
    const reason = nameOf(objectOf(response.incomplete_details)?.reason);
    // The last event repeats the whole output; a stream that was cut has only its pieces.
    const whole = objectsOf(response.output);
    const items = whole.length > 0 ? whole : this.#items.map(wholeItem);
    const answer = itemMessages(items, 'assistant');
    return defined({
      response_id: nameOf(response.id),
      response_model: nameOf(response.model),
      answer: answer.length === 0 ? undefined : answer,
      finish_reason: reason ?? finalStatus(response.status),
      usage:
        usage &&
        usageOf({
          input: countOf(usage.input_tokens),
          cache_read: countOf(objectOf(usage.input_tokens_details)?.cached_tokens),
          cache_write: countOf(objectOf(usage.input_tokens_details)?.cache_write_tokens),
          output: countOf(usage.output_tokens),
          reasoning: countOf(objectOf(usage.output_tokens_details)?.reasoning_tokens),
        }),
      error: this.#error ?? namedError(response),
    });
  }

  #grow(event: JsonObject, type: string): void {
    const delta = textOf(event.delta);
    if (delta === undefined) return;
    const key = event.output_index ?? event.item_id;
    const known = this.#open.get(key) ?? this.#begin(key);
    known.texts.set(type, (known.texts.get(type) ?? '') + delta);
  }

  #begin(key: Json | undefined): ItemPieces {
    const pieces = { item: {}, texts: new Map<string, string>() };
    this.#items.push(pieces);
    this.#open.set(key, pieces);
    return pieces;
  }
}

/** Absent while the response is in progress. */
function finalStatus(status: Json | undefined): string | undefined {
  return status === 'in_progress' || status === 'queued' ? undefined : nameOf(status);
}

/** An item from the pieces that were seen of it. */
function wholeItem({ item, texts }: ItemPieces): JsonObject {
  const text = (type: string) => texts.get(`response.${type}.delta`);
  const [said, refusal] = [text('output_text'), text('refusal')];
  const thought = text('reasoning_summary_text') ?? text('reasoning_text');
  const args = text('function_call_arguments');
  const mcp = text('mcp_call_arguments');
  const code = text('code_interpreter_call_code');
  const input = text('custom_tool_call_input');
  return {
    ...item,
    ...(said !== undefined && { type: 'message', content: [{ type: 'output_text', text: said }] }),
    ...(refusal !== undefined && { type: 'message', content: [{ type: 'refusal', refusal }] }),
    ...(mcp !== undefined && { type: 'mcp_call', arguments: mcp }),
    ...(code !== undefined && { type: 'code_interpreter_call', code }),
    ...(thought !== undefined && {
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: thought }],
    }),
    ...(args !== undefined && { type: 'function_call', arguments: args }),
    ...(input !== undefined && { type: 'custom_tool_call', input }),
  };
}
