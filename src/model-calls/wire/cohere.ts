import type { CallMessage, TokenUsage } from '../../model/calls/model-call.js';
import type { Json, JsonObject } from '../../model/result.js';
import {
  countOf,
  defined,
  jsonText,
  listOf,
  nameOf,
  objectOf,
  objectsOf,
  textOf,
  without,
} from './json.js';
import {
  argumentsText,
  assistantMessage,
  reasoningPart,
  textPart,
  toolCallPart,
  toolMessage,
} from './messages.js';
import { messagesOf, promptMessages, toolsOf } from './openai-chat.js';
import { usageOf } from './usage-fields.js';
import {
  type AnsweredPart,
  type AnswerReader,
  lastAnswer,
  noStream,
  type WireFormat,
} from './wire-format.js';

/** Chats of Cohere, version 2. */
export const cohereChat: WireFormat = {
  provider: 'cohere',
  operation: 'chat',
  path: /\/v2\/chat$/,
  isSharedPath: true,
  isRequest: (body) => Array.isArray(body.messages),
  isAnswer: (event) =>
    (typeof event.type === 'string' && eventTypes.has(event.type)) ||
    (objectOf(event.message)?.role === 'assistant' && typeof event.finish_reason === 'string'),
  isToken: ({ type }) =>
    type === 'content-delta' || type === 'tool-plan-delta' || type === 'tool-call-start',
  isEnd: ({ type }) => type === 'message-end',
  readRequest: (body) =>
    defined({
      model: nameOf(body.model),
      messages: messagesOf(body.messages).map(chatMessage),
      tools: toolsOf(body.tools),
      parameters: without(body, 'model', 'messages', 'tools', 'stream'),
    }),
  answerReader: () => new ChatReader(),
};

const eventTypes = new Set([
  ...['message-start', 'message-end', 'content-start', 'content-delta', 'content-end'],
  ...['tool-plan-delta', 'tool-call-start', 'tool-call-delta', 'tool-call-end'],
  ...['citation-start', 'citation-end'],
]);

/** Messages are those of OpenAI, apart from thoughts and the plan of tool calls. */
function chatMessage({ tool_plan: plan, ...message }: JsonObject): CallMessage {
  const thoughts = typeof plan === 'string' && plan !== '' ? [reasoningPart(plan)] : [];
  const content = Array.isArray(message.content)
    ? objectsOf(message.content).map(partOf)
    : message.content;
  const role = textOf(message.role) ?? 'assistant';
  if (thoughts.length === 0) {
    return { ...without(message, 'content'), role, ...(content != null && { content }) };
  }
  const said = typeof content === 'string' ? [textPart(content)] : objectsOf(content);
  return { ...message, role, content: [...thoughts, ...said] };
}

function partOf(part: JsonObject): JsonObject {
  return part.type === 'thinking' ? reasoningPart(textOf(part.thinking) ?? '') : part;
}

/** A tool call that comes in pieces. */
interface CallPieces {
  readonly id: string | undefined;
  readonly name: string;
  text: string;
}

/** Puts an answer of version 2 together, streamed or not. */
class ChatReader implements AnswerReader {
  readonly #contents: { type: string; text: string }[] = [];
  readonly #calls: CallPieces[] = [];
  /** The last call with each index. */
  readonly #open = new Map<Json | undefined, CallPieces>();
  readonly #citations: Json[] = [];
  #plan = '';
  #hasAnswer = false;
  #id: string | undefined;
  #finishReason: string | undefined;
  #usage: JsonObject | undefined;
  #error: string | undefined;

  push(event: JsonObject): void {
    const delta = objectOf(event.delta);
    const message = objectOf(event.message) ?? objectOf(delta?.message) ?? {};
    const end = delta ?? event;
    this.#id ??= nameOf(event.id);
    this.#finishReason = nameOf(end.finish_reason) ?? this.#finishReason;
    this.#usage = objectOf(end.usage) ?? this.#usage;
    this.#error ??= nameOf(delta?.error);
    this.#hasAnswer ||= event.type === 'message-start' || objectOf(event.message) !== undefined;
    this.#plan += textOf(message.tool_plan) ?? '';
    this.#addContent(message.content, event.type === 'content-delta');
    for (const call of listed(message.tool_calls)) {
      const open = event.type === 'tool-call-delta' ? this.#open.get(event.index) : undefined;
      this.#addCall(call, open, event.index);
    }
    this.#citations.push(...listed(message.citations));
  }

  #addContent(content: Json | undefined, isContinued: boolean): void {
    if (typeof content === 'string') this.#contents.push({ type: 'text', text: content });
    for (const part of listed(content)) {
      const thought = textOf(part.thinking);
      const type = thought === undefined ? 'text' : 'thinking';
      const text = thought ?? textOf(part.text) ?? '';
      const last = this.#contents.at(-1);
      if (isContinued && last?.type === type) last.text += text;
      else this.#contents.push({ type, text });
    }
  }

  #addCall(call: JsonObject, open: CallPieces | undefined, index: Json | undefined): void {
    const given = objectOf(call.function) ?? {};
    const text = given.arguments == null ? '' : argumentsText(given.arguments);
    if (open !== undefined) {
      open.text += text;
      return;
    }
    const begun = { id: nameOf(call.id), name: nameOf(given.name) ?? '', text };
    this.#calls.push(begun);
    this.#open.set(index, begun);
  }

  read(): AnsweredPart {
    const said = this.#contents.filter(({ text }) => text !== '');
    const noted = this.#citations.length === 0 ? {} : { citations: this.#citations };
    const parts = [
      ...(this.#plan === '' ? [] : [reasoningPart(this.#plan)]),
      ...said.map(({ type, text }, at) =>
        type === 'thinking'
          ? reasoningPart(text)
          : { ...textPart(text), ...(at === said.length - 1 && noted) },
      ),
    ];
    const calls = this.#calls.map(({ id, name, text }) => toolCallPart(id, name, text));
    return defined({
      response_id: this.#id,
      answer:
        this.#hasAnswer || parts.length + calls.length > 0
          ? [assistantMessage(parts, calls)]
          : undefined,
      finish_reason: this.#finishReason,
      usage: this.#usage && billedUsage(this.#usage),
      error: this.#error,
    });
  }
}

/** The objects of a list, or the one that a piece of a stream has in its place. */
function listed(value: Json | undefined): readonly JsonObject[] {
  const one = objectOf(value);
  return one === undefined ? objectsOf(value) : [one];
}

/** Tokens that the model counted, and those that are billed; rerankers bill searches. */
function billedUsage(usage: JsonObject): TokenUsage | undefined {
  const billed = objectOf(usage.billed_units) ?? {};
  const tokens = objectOf(usage.tokens) ?? {};
  const [input, output] = [countOf(tokens.input_tokens), countOf(tokens.output_tokens)];
  const paid = { input: countOf(billed.input_tokens), output: countOf(billed.output_tokens) };
  const isApart = input !== undefined && (paid.input !== input || paid.output !== output);
  return usageOf({
    input: input ?? paid.input,
    cache_read: countOf(usage.cached_tokens) || undefined,
    output: output ?? paid.output,
    billed_input: isApart ? paid.input : undefined,
    billed_output: isApart ? paid.output : undefined,
    searches: countOf(billed.search_units),
  });
}

/** Chats of Cohere, version 1: the last message is apart from the history. */
export const cohereChatV1: WireFormat = {
  provider: 'cohere',
  operation: 'chat',
  path: /\/v1\/chat$/,
  isSharedPath: true,
  isRequest: (body) => typeof body.message === 'string',
  isAnswer: (event) =>
    (typeof event.event_type === 'string' && typeof event.is_finished === 'boolean') ||
    (typeof event.text === 'string' && typeof event.generation_id === 'string'),
  isToken: ({ event_type: type }) =>
    type === 'text-generation' || type === 'tool-calls-chunk' || type === 'tool-calls-generation',
  isEnd: ({ event_type: type }) => type === 'stream-end',
  readRequest: (body) =>
    defined({
      model: nameOf(body.model),
      messages: olderMessages(body),
      tools: toolsOf(body.tools),
      parameters: without(
        body,
        ...['model', 'message', 'chat_history', 'preamble', 'tools', 'tool_results', 'stream'],
      ),
    }),
  answerReader: () => new OlderReader(),
};

function olderMessages({
  preamble,
  chat_history: history,
  message,
  tool_results: results,
}: JsonObject): readonly CallMessage[] {
  const said = nameOf(message);
  return [
    ...(typeof preamble === 'string' ? [{ role: 'system', content: preamble }] : []),
    ...objectsOf(history).flatMap(historyMessages),
    ...(said === undefined ? [] : [{ role: 'user', content: said }]),
    ...objectsOf(results).map(toolResult),
  ];
}

const roles: Readonly<Record<string, string>> = { CHATBOT: 'assistant', SYSTEM: 'system' };

function historyMessages(message: JsonObject): readonly CallMessage[] {
  if (message.role === 'TOOL') return objectsOf(message.tool_results).map(toolResult);
  const text = nameOf(message.message);
  const role = roles[String(message.role)] ?? 'user';
  if (role === 'assistant') {
    return [assistantMessage(text === undefined ? [] : [textPart(text)], cohereToolCalls(message))];
  }
  return [{ role, content: text ?? '' }];
}

/** An answer names the tool, as calls have no ids. */
function toolResult({ call, outputs }: JsonObject): CallMessage {
  const name = nameOf(objectOf(call)?.name);
  return toolMessage(undefined, jsonText(outputs ?? null), name === undefined ? {} : { name });
}

/** Tool calls of version 1, which have no ids. */
export function cohereToolCalls({ tool_calls: calls }: JsonObject): readonly JsonObject[] {
  return objectsOf(calls).map(({ name, parameters }) =>
    toolCallPart(undefined, nameOf(name) ?? '', argumentsText(parameters)),
  );
}

/** Puts an answer of version 1 together, streamed or not. */
class OlderReader implements AnswerReader {
  #text = '';
  #whole: JsonObject = {};

  push(event: JsonObject): void {
    if (event.event_type === 'text-generation') this.#text += textOf(event.text) ?? '';
    const { event_type: _, is_finished: __, response, ...fields } = event;
    const isWhole = event.event_type === undefined;
    // The last event repeats the whole answer; one of tool calls has all of them.
    const { text: ___, ...others } = fields;
    this.#whole = { ...this.#whole, ...without(isWhole ? fields : others), ...objectOf(response) };
  }

  read(): AnsweredPart {
    const whole = this.#whole;
    const text = nameOf(whole.text) ?? this.#text;
    const noted = listOf(whole.citations).length === 0 ? {} : { citations: whole.citations ?? [] };
    const calls = cohereToolCalls(whole);
    const parts = text === '' ? [] : [{ ...textPart(text), ...noted }];
    const hasAnswer = parts.length + calls.length > 0 || typeof whole.text === 'string';
    return defined({
      response_id: nameOf(whole.response_id) ?? nameOf(whole.generation_id),
      answer: hasAnswer ? [assistantMessage(parts, calls)] : undefined,
      finish_reason: nameOf(whole.finish_reason),
      usage: billedUsage(objectOf(whole.meta) ?? {}),
    });
  }
}

/** Embeddings of Cohere, of texts and images. */
export const cohereEmbeddings: WireFormat = {
  ...noStream,
  provider: 'cohere',
  operation: 'embeddings',
  path: /\/v[12]\/embed$/,
  isSharedPath: true,
  isRequest: ({ texts, images, inputs }) =>
    [texts, images, inputs].some((items) => Array.isArray(items)),
  isAnswer: (answer) =>
    answer.embeddings !== undefined && objectOf(answer.meta)?.billed_units !== undefined,
  readRequest: (body) =>
    defined({
      model: nameOf(body.model),
      messages: [
        ...promptMessages(body.texts),
        ...objectsOf(body.inputs).map(({ content = '' }) => ({ role: 'user', content })),
      ],
      parameters: without(body, 'model', 'texts', 'images', 'inputs'),
    }),
  answerReader: () =>
    lastAnswer((answer) => ({
      response_id: nameOf(answer.id),
      usage: billedUsage(objectOf(answer.meta) ?? {}),
    })),
};

/** Rerankers of Cohere, and of the providers that took them over: Voyage, Jina, Together. */
export const cohereRerank: WireFormat = {
  ...noStream,
  provider: 'cohere',
  operation: 'rerank',
  path: /\/rerank$/,
  isSharedPath: true,
  isRequest: (body) => body.query !== undefined && Array.isArray(body.documents),
  isAnswer: (answer) =>
    objectsOf(answer.results ?? answer.data).some(
      ({ relevance_score: score }) => typeof score === 'number',
    ),
  readRequest: (body) =>
    defined({
      model: nameOf(body.model),
      messages: [...promptMessages(body.query), ...listOf(body.documents).map(documentMessage)],
      parameters: without(body, 'model', 'query', 'documents'),
    }),
  answerReader: () => lastAnswer(rankedPart),
};

function documentMessage(document: Json): CallMessage {
  const text = textOf(document) ?? textOf(objectOf(document)?.text);
  return { role: 'document', content: text ?? jsonText(document) };
}

function rankedPart(answer: JsonObject): AnsweredPart {
  const usage = objectOf(answer.usage) ?? {};
  const input = countOf(usage.prompt_tokens) ?? countOf(usage.total_tokens);
  const ranked = answer.results ?? answer.data;
  return defined({
    response_id: nameOf(answer.id),
    response_model: nameOf(answer.model),
    answer: Array.isArray(ranked) ? [{ role: 'assistant', content: jsonText(ranked) }] : undefined,
    usage: input === undefined ? billedUsage(objectOf(answer.meta) ?? {}) : usageOf({ input }),
  });
}
