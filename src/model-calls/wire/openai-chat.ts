import type { CallMessage } from '../../model/calls/model-call.js';
import { parseJson } from '../../model/json.js';
import type { Json, JsonObject } from '../../model/result.js';
import { defined, jsonText, listOf, nameOf, objectOf, objectsOf, textOf, without } from './json.js';
import { imagePart, textPart } from './messages.js';
import { completionUsage } from './usage-fields.js';
import {
  type AnsweredPart,
  type AnswerReader,
  lastAnswer,
  noStream,
  partOfPath,
  type WireFormat,
} from './wire-format.js';

/** Chat completions of OpenAI, and of the many servers that took them over. */
export const openaiChat: WireFormat = {
  provider: 'openai',
  operation: 'chat',
  path: /\/chat\/completions$/,
  isRequest: (body) => Array.isArray(body.messages),
  isAnswer: (event) =>
    Array.isArray(event.choices) &&
    objectsOf(event.choices).every((c) => textOf(c.text) === undefined),
  isToken: (event) => objectsOf(event.choices).some((choice) => isToken(objectOf(choice.delta))),
  isEnd: () => false,
  readRequest: (body, path) =>
    defined({
      model: nameOf(body.model) ?? partOfPath(path, deployment),
      messages: messagesOf(body.messages),
      tools: toolsOf(body.tools ?? body.functions),
      parameters: without(body, 'model', 'messages', 'tools', 'functions', 'stream'),
    }),
  answerReader: () => new ChatReader(),
};

/** The older completions: a prompt instead of messages. */
export const openaiCompletions: WireFormat = {
  provider: 'openai',
  operation: 'text_completion',
  path: /(?<!\/chat)\/completions$/,
  isRequest: (body) => body.prompt !== undefined,
  isAnswer: (event) =>
    Array.isArray(event.choices) &&
    objectsOf(event.choices).every((c) => textOf(c.text) !== undefined),
  isToken: (event) => objectsOf(event.choices).some((choice) => nameOf(choice.text) !== undefined),
  isEnd: () => false,
  readRequest: (body, path) =>
    defined({
      model: nameOf(body.model) ?? partOfPath(path, deployment),
      messages: promptMessages(body.prompt),
      parameters: without(body, 'model', 'prompt', 'stream'),
    }),
  answerReader: () => new ChatReader(),
};

/** Azure names a deployment of a model in the address. */
const deployment = /\/deployments\/([^/]+)\//;

/** The messages of a request, as they were sent. */
export function messagesOf(value: Json | undefined): readonly CallMessage[] {
  return objectsOf(value).filter(
    (message): message is CallMessage => textOf(message.role) !== undefined,
  );
}

/** The tools of a request, as they were sent; absent without any. */
export function toolsOf(value: Json | undefined): readonly Json[] | undefined {
  return listOf(value).length === 0 ? undefined : listOf(value);
}

/** A message of the user for each text of a prompt; token numbers have no text. Images follow the text of the first. */
export function promptMessages(
  prompt: Json | undefined,
  images?: Json | undefined,
): readonly CallMessage[] {
  const texts = typeof prompt === 'string' ? [prompt] : listOf(prompt);
  const shown = listOf(images).flatMap((image) =>
    typeof image === 'string' ? [imagePart('image/png', image)] : [],
  );
  return texts.flatMap((text, at) => {
    if (typeof text !== 'string') return [];
    const content = at === 0 && shown.length > 0 ? [textPart(text), ...shown] : text;
    return [{ role: 'user', content }];
  });
}

function isToken(delta: JsonObject | undefined): boolean {
  return Object.entries(delta ?? {}).some(
    ([key, value]) => key !== 'role' && value !== null && value !== '' && !isEmptyList(value),
  );
}

function isEmptyList(value: Json): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Puts chat completions together, streamed or not. */
class ChatReader implements AnswerReader {
  readonly #choices = new Map<number, Choice>();
  #part: AnsweredPart = {};

  push(event: JsonObject): void {
    const usage = objectOf(event.usage) ?? objectOf(objectOf(event.x_groq)?.usage);
    this.#part = {
      ...this.#part,
      ...defined({
        response_id: nameOf(event.id),
        response_model: nameOf(event.model),
        usage: usage && completionUsage(usage),
      }),
    };
    for (const [position, choice] of objectsOf(event.choices).entries()) {
      const index = typeof choice.index === 'number' ? choice.index : position;
      const known = this.#choices.get(index) ?? new Choice();
      this.#choices.set(index, known);
      known.push(choice);
    }
  }

  read(): AnsweredPart {
    const choices = [...this.#choices.entries()]
      .sort(([a], [b]) => a - b)
      .map(([, choice]) => choice);
    if (choices.length === 0) return this.#part;
    return {
      ...this.#part,
      answer: choices.map((choice) => choice.message()),
      ...defined({ finish_reason: choices[0]?.finishReason }),
    };
  }
}

/** A tool call that comes in pieces. */
interface ToolCallPieces {
  readonly index: Json | undefined;
  id: string | undefined;
  type: string | undefined;
  name: string | undefined;
  text: string;
  /** Fields that only some providers have. */
  other: JsonObject;
}

class Choice {
  finishReason: string | undefined;
  readonly #fields = new Map<string, Json>();
  readonly #lists = new Map<string, Json[]>();
  readonly #calls: ToolCallPieces[] = [];

  push(choice: JsonObject): void {
    this.finishReason = nameOf(choice.finish_reason) ?? this.finishReason;
    const { content_filter_results: filters } = choice;
    const isFiltered = Object.values(objectOf(filters) ?? {}).some((f) => objectOf(f)?.filtered);
    if (isFiltered && filters !== undefined) this.#fields.set('content_filter_results', filters);
    const message = objectOf(choice.message);
    if (message !== undefined)
      this.#addFields(message, (call) => this.#addToolCall(call, undefined));
    const delta = objectOf(choice.delta);
    if (delta !== undefined) {
      const { length } = this.#calls;
      this.#addFields(delta, (call) => this.#addToolCall(call, this.#continued(call, length)));
    }
    const text = textOf(choice.text);
    if (text !== undefined) this.#merge('content', text);
  }

  message(): CallMessage {
    const content = this.#fields.get('content');
    const role = textOf(this.#fields.get('role')) ?? 'assistant';
    const isSilent = content === '' && this.#calls.length > 0;
    const rest = [...this.#fields].filter(
      ([key]) => key !== 'role' && !(key === 'content' && isSilent),
    );
    return {
      role,
      ...(rest.length === 0 && this.#calls.length === 0
        ? { content: '' }
        : Object.fromEntries(rest)),
      ...(this.#calls.length > 0 && { tool_calls: this.#calls.map(toolCall) }),
    };
  }

  #addFields(given: JsonObject, addToolCall: (call: JsonObject) => void): void {
    for (const [key, value] of Object.entries(given)) {
      if (key === 'tool_calls') objectsOf(value).forEach(addToolCall);
      else if (key === 'role') this.#fields.set(key, value);
      else if (value !== null && !isEmptyList(value)) this.#merge(key, value);
    }
  }

  #merge(key: string, value: Json): void {
    const list = this.#lists.get(key);
    if (list !== undefined) {
      for (const item of Array.isArray(value) ? value : [asPart(value)]) list.push(item);
    } else if (Array.isArray(value)) {
      const known = this.#fields.get(key);
      const grown = known === undefined ? [...value] : [asPart(known), ...value];
      this.#lists.set(key, grown);
      this.#fields.set(key, grown);
    } else this.#fields.set(key, merged(this.#fields.get(key), value));
  }

  #addToolCall(call: JsonObject, continued: ToolCallPieces | undefined): void {
    const given = objectOf(call.function) ?? objectOf(call.custom);
    const args = argumentsOf(given);
    if (continued !== undefined && isRepeated(continued, call, args)) return;
    const isNext = continued !== undefined && isBegun(continued, call, args);
    const known =
      continued === undefined || isNext
        ? newPieces(call, isNext ? continued.name : undefined)
        : continued;
    if (known !== continued) this.#calls.push(known);
    known.type = nameOf(call.type) ?? (call.custom === undefined ? known.type : 'custom');
    known.name = nameOf(given?.name) ?? known.name;
    known.other = { ...known.other, ...without(call, ...callFields) };
    known.text += args;
  }

  /**
   * The call that this piece continues: the one with the same index. Some servers send index 0, or none, for all, and
   * distinguish them by id, by name, or by nothing but that the arguments before are complete.
   */
  #continued(call: JsonObject, before: number): ToolCallPieces | undefined {
    const { index } = call;
    const id = nameOf(call.id);
    const given = objectOf(call.function) ?? objectOf(call.custom);
    const name = nameOf(given?.name);
    return this.#calls.findLast((known, at) => {
      if (id !== undefined && known.id !== undefined && id !== known.id) return false;
      if (index == null ? id === undefined && name !== undefined : index !== known.index)
        return false;
      if (name === undefined || known.name === undefined) return true;
      // A server may repeat the name with each piece of the arguments.
      return name === known.name && (at < before || (id !== undefined && id === known.id));
    });
  }
}

function newPieces(call: JsonObject, name: string | undefined): ToolCallPieces {
  return { index: call.index, id: nameOf(call.id), type: undefined, name, text: '', other: {} };
}

/** A piece of arguments; empty for none. */
function argumentsOf(given: JsonObject | undefined): string {
  const args = given?.arguments ?? given?.input;
  return textOf(args) ?? (args == null ? '' : jsonText(args));
}

/** True for a piece that begins another call of the same tool: what was there before is complete. */
function isBegun(known: ToolCallPieces, call: JsonObject, args: string): boolean {
  if (args.trim() === '') return false;
  if (objectOf(call.custom) !== undefined)
    return nameOf(objectOf(call.custom)?.name) !== undefined && known.text !== '';
  return known.text.trimEnd().endsWith('}') && parseJson(known.text) !== undefined;
}

/** True for a call that a server sends again as a whole. */
function isRepeated(known: ToolCallPieces, call: JsonObject, args: string): boolean {
  const id = nameOf(call.id);
  return (
    id !== undefined &&
    id === known.id &&
    args !== '' &&
    args === known.text &&
    isBegun(known, call, args)
  );
}

const callFields = ['index', 'id', 'type', 'function', 'custom'];

function toolCall({ id, type = 'function', name, text, other }: ToolCallPieces): JsonObject {
  const body =
    type === 'custom'
      ? { custom: { name: name ?? '', input: text } }
      : { function: { name: name ?? '', arguments: text } };
  return { ...(id !== undefined && { id }), type, ...body, ...other };
}

/** Texts grow, objects grow by field, everything else is replaced. */
function merged(known: Json | undefined, value: Json): Json {
  if (typeof known === 'string' && typeof value === 'string') return known + value;
  const [a, b] = [objectOf(known), objectOf(value)];
  if (a === undefined || b === undefined) return value;
  const fields = new Map(Object.entries(a));
  for (const [key, part] of Object.entries(without(b))) {
    const isWhole = ['id', 'type', 'name', 'role'].includes(key);
    fields.set(key, isWhole ? part : merged(fields.get(key), part));
  }
  return Object.fromEntries(fields);
}

function asPart(value: Json): Json {
  return typeof value === 'string' ? textPart(value) : value;
}

/** Embeddings of OpenAI. */
export const openaiEmbeddings: WireFormat = {
  ...noStream,
  provider: 'openai',
  operation: 'embeddings',
  path: /(?<!\/api)\/embeddings$/,
  isRequest: (body) => typeof body.input === 'string' || Array.isArray(body.input),
  isAnswer: (answer) => answer.object === 'list' && Array.isArray(answer.data),
  readRequest: (body, path) =>
    defined({
      model: nameOf(body.model) ?? partOfPath(path, /\/deployments\/([^/]+)\//),
      messages: promptMessages(body.input),
      parameters: without(body, 'model', 'input'),
    }),
  answerReader: () =>
    lastAnswer((answer) => ({
      response_model: nameOf(answer.model),
      usage: completionUsage(objectOf(answer.usage) ?? {}),
    })),
};

/** Moderations of OpenAI. */
export const openaiModerations: WireFormat = {
  ...noStream,
  provider: 'openai',
  operation: 'moderation',
  path: /\/moderations$/,
  isSharedPath: true,
  isRequest: (body) => body.input !== undefined,
  isAnswer: ({ results }) => objectsOf(results).some(({ categories }) => categories !== undefined),
  readRequest: (body) =>
    defined({
      model: nameOf(body.model),
      messages: promptMessages(body.input),
      parameters: without(body, 'model', 'input'),
    }),
  answerReader: () =>
    lastAnswer((answer) => ({
      response_id: nameOf(answer.id),
      response_model: nameOf(answer.model),
      answer: [{ role: 'assistant', content: jsonText(answer.results ?? null) }],
      usage: completionUsage(objectOf(answer.usage) ?? {}),
    })),
};
