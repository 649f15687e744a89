import type { CallMessage, TokenUsage } from '../../model/calls/model-call.js';
import type { Json, JsonObject } from '../../model/result.js';
import {
  countOf,
  defined,
  fieldsOf,
  jsonText,
  nameOf,
  objectOf,
  objectsOf,
  sumOf,
  textOf,
  without,
} from './json.js';
import {
  argumentsText,
  assistantMessage,
  contentOf,
  imagePart,
  inputFrom,
  otherPart,
  reasoningPart,
  textPart,
  toolCallPart,
  toolMessage,
} from './messages.js';
import { toolsOf } from './openai-chat.js';
import { usageWithCacheApart } from './usage-fields.js';
import {
  type AnsweredPart,
  type AnswerReader,
  partOfPath,
  type WireFormat,
} from './wire-format.js';

/** Converse and ConverseStream of Amazon Bedrock. */
export const bedrockConverse: WireFormat = {
  provider: 'aws.bedrock',
  operation: 'chat',
  path: /\/model\/[^/]+\/converse(-stream)?$/,
  isRequest: (body) =>
    Array.isArray(body.messages) &&
    objectsOf(body.messages).every(({ content }) => Array.isArray(content)),
  isAnswer: (event, name) =>
    objectOf(objectOf(event.output)?.message) !== undefined || eventNames.has(name ?? ''),
  isToken: (event, name) =>
    name === 'contentBlockDelta' ||
    (name === 'contentBlockStart' && objectOf(objectOf(event.start)?.toolUse) !== undefined),
  isEnd: (_, name) => name === 'metadata',
  readRequest: (body, path) =>
    defined({ model: partOfPath(path, /\/model\/([^/]+)\//), ...converseRequest(body) }),
  answerReader: () => new ConverseReader(),
};

/** Events of a streamed answer. */
export const eventNames: ReadonlySet<string> = new Set([
  'messageStart',
  'contentBlockStart',
  'contentBlockDelta',
  'contentBlockStop',
  'messageStop',
  'metadata',
]);

/** Contents of a request of this shape, without its model. */
export function converseRequest(body: JsonObject) {
  const system = objectsOf(body.system);
  return defined({
    messages: [
      ...(system.length === 0 ? [] : [{ role: 'system', content: contentOf(system.map(partOf)) }]),
      ...objectsOf(body.messages).flatMap(chatMessages),
    ],
    tools: toolsOf(objectOf(body.toolConfig)?.tools),
    parameters: without(body, 'system', 'messages', 'toolConfig', 'schemaVersion'),
  });
}

/** A message contains tool results among its blocks; in a chat each is a message. */
function chatMessages(message: JsonObject): readonly CallMessage[] {
  const blocks = objectsOf(message.content);
  if (message.role === 'assistant') return [answerMessage(blocks)];
  const results = fieldsOf(blocks, 'toolResult').map(toolResult);
  const rest = blocks.filter((block) => block.toolResult === undefined).map(partOf);
  const isSaid = rest.length > 0 || results.length === 0;
  const role = textOf(message.role) ?? 'user';
  return [...results, ...(isSaid ? [{ role, content: contentOf(rest) }] : [])];
}

function toolResult(result: JsonObject): CallMessage {
  const parts = objectsOf(result.content).map((block) =>
    block.json === undefined ? partOf(block) : textPart(jsonText(block.json)),
  );
  const isError = result.status === 'error' ? { is_error: true } : {};
  return toolMessage(nameOf(result.toolUseId), contentOf(parts), isError);
}

/** Tools that the provider runs itself are content. */
function isToolCall({ toolUse }: JsonObject): boolean {
  const call = objectOf(toolUse);
  return call !== undefined && call.type !== 'server_tool_use';
}

function answerMessage(blocks: readonly JsonObject[]): CallMessage {
  const calls = fieldsOf(blocks.filter(isToolCall), 'toolUse');
  return assistantMessage(
    blocks.filter((block) => !isToolCall(block)).map(partOf),
    calls.map(({ toolUseId, name, input, ...other }) =>
      toolCallPart(
        nameOf(toolUseId),
        nameOf(name) ?? '',
        argumentsText(input),
        without(other, 'type'),
      ),
    ),
  );
}

function partOf(block: JsonObject): JsonObject {
  if (typeof block.text === 'string') return textPart(block.text);
  const thought = objectOf(objectOf(block.reasoningContent)?.reasoningText);
  if (thought !== undefined) {
    return reasoningPart(textOf(thought.text) ?? '', without(thought, 'text'));
  }
  const { content, citations = [] } = objectOf(block.citationsContent) ?? {};
  const texts = objectsOf(content).map(({ text }) => text);
  if (content !== undefined && texts.every((text) => typeof text === 'string')) {
    return { ...textPart(texts.join('')), citations };
  }
  const { format, source, ...beside } = objectOf(block.image) ?? {};
  const bytes = nameOf(objectOf(source)?.bytes);
  return bytes === undefined
    ? otherPart(block)
    : imagePart(`image/${nameOf(format) ?? 'png'}`, bytes, beside);
}

/** Puts an answer of Converse together, streamed or not. */
export class ConverseReader implements AnswerReader {
  readonly #blocks: BlockPieces[] = [];
  /** The last block with each index. */
  readonly #open = new Map<Json | undefined, BlockPieces>();
  #message: JsonObject | undefined;
  #hasStarted = false;
  #stopReason: string | undefined;
  #usage: JsonObject = {};
  /** Findings of guardrails, and requested fields of the model's own. */
  #notes: JsonObject = {};

  push(event: JsonObject, name?: string): void {
    const index = event.contentBlockIndex;
    if (name === 'messageStart') this.#hasStarted = true;
    else if (name === 'contentBlockStart') {
      this.#begin(index, objectOf(event.start));
    } else if (name === 'contentBlockDelta') {
      const block = this.#open.get(index) ?? this.#begin(index);
      block.add(objectOf(event.delta) ?? {});
    } else {
      this.#message ??= objectOf(objectOf(event.output)?.message);
      this.#stopReason = nameOf(event.stopReason) ?? this.#stopReason;
      this.#usage = objectOf(event.usage) ?? this.#usage;
      const { additionalModelResponseFields = null, trace = null } = event;
      this.#notes = { ...this.#notes, ...without({ additionalModelResponseFields, trace }) };
    }
  }

  #begin(index: Json | undefined, start?: JsonObject): BlockPieces {
    const block = new BlockPieces(start);
    this.#blocks.push(block);
    this.#open.set(index, block);
    return block;
  }

  read(): AnsweredPart {
    const blocks = this.#message
      ? objectsOf(this.#message.content)
      : this.#blocks.map((block) => block.whole());
    const notes = Object.entries(this.#notes).map(([key, value]) => ({ [key]: value }));
    const hasAnswer = this.#message !== undefined || this.#hasStarted || blocks.length > 0;
    return defined({
      answer: hasAnswer ? [answerMessage([...blocks, ...notes])] : undefined,
      finish_reason: this.#stopReason,
      usage: converseUsage(this.#usage),
    });
  }
}

function converseUsage(usage: JsonObject): TokenUsage | undefined {
  const forAnHour = objectsOf(usage.cacheDetails).filter(({ ttl }) => ttl === '1h');
  return usageWithCacheApart({
    input: countOf(usage.inputTokens),
    cacheRead: countOf(usage.cacheReadInputTokens) ?? countOf(usage.cacheReadInputTokenCount),
    cacheWrite: countOf(usage.cacheWriteInputTokens) ?? countOf(usage.cacheWriteInputTokenCount),
    cacheWrite1h: sumOf(...forAnHour.map(({ inputTokens }) => countOf(inputTokens))),
    output: countOf(usage.outputTokens),
  });
}

/** A content block of Converse that comes in pieces. */
class BlockPieces {
  readonly #start: JsonObject;
  /** By kind; texts in them grow, everything else is collected. */
  readonly #pieces = new Map<string, Json[]>();

  constructor(start: JsonObject = {}) {
    this.#start = start;
  }

  add(delta: JsonObject): void {
    for (const [kind, value] of Object.entries(delta)) {
      const known = this.#pieces.get(kind);
      if (known === undefined) this.#pieces.set(kind, [value]);
      else known.push(value);
    }
  }

  /** The block as an answer that is no stream has it. */
  whole(): JsonObject {
    const pieces = (kind: string) => this.#pieces.get(kind) ?? [];
    const text = pieces('text').map(textOf).join('');
    const call = objectOf(this.#start.toolUse);
    if (call !== undefined) {
      const given = pieces('toolUse')
        .map((piece) => textOf(objectOf(piece)?.input))
        .join('');
      const input = given === '' ? (call.input ?? {}) : inputFrom(given);
      return { toolUse: { ...call, input } };
    }
    const result = objectOf(this.#start.toolResult);
    if (result !== undefined) {
      const content = pieces('toolResult').flatMap(objectsOf);
      return { toolResult: { ...result, content } };
    }
    const image = objectOf(this.#start.image);
    if (image !== undefined)
      return { image: Object.assign({}, image, ...objectsOf(pieces('image'))) };
    const citations = pieces('citation');
    if (citations.length > 0) return { citationsContent: { content: [{ text }], citations } };
    const thoughts = objectsOf(pieces('reasoningContent'));
    if (thoughts.length > 0) return { reasoningContent: wholeThought(thoughts) };
    const [other] = this.#pieces.keys();
    return other === undefined || other === 'text' ? { text } : { [other]: pieces(other) };
  }
}

function wholeThought(pieces: readonly JsonObject[]): JsonObject {
  const joined = (field: string) => pieces.map((piece) => textOf(piece[field]) ?? '').join('');
  const [signature, redactedContent] = [joined('signature'), joined('redactedContent')];
  if (redactedContent !== '') return { redactedContent };
  return { reasoningText: { text: joined('text'), ...(signature !== '' && { signature }) } };
}
