import type { CallMessage, TokenUsage } from '../../model/calls/model-call.js';
import type { Json, JsonObject } from '../../model/result.js';
import { countOf, defined, nameOf, objectOf, objectsOf, textOf, without } from './json.js';
import {
  argumentsText,
  assistantMessage,
  contentOf,
  imagePart,
  inputFrom,
  reasoningPart,
  toolCallPart,
  toolMessage,
} from './messages.js';
import { toolsOf } from './openai-chat.js';
import { usageWithCacheApart } from './usage-fields.js';
import {
  type AnsweredPart,
  type AnswerReader,
  namedError,
  partOfPath,
  type WireFormat,
} from './wire-format.js';

/** Messages of Anthropic, also as Vertex AI takes them. */
export const anthropicMessages: WireFormat = {
  provider: 'anthropic',
  operation: 'chat',
  path: /\/messages$|:(stream)?rawPredict$/i,
  isRequest: (body) =>
    Array.isArray(body.messages) &&
    (typeof body.max_tokens === 'number' || typeof body.anthropic_version === 'string'),
  isAnswer: ({ type }) => type === 'message' || (typeof type === 'string' && eventTypes.has(type)),
  isToken: (event) =>
    event.type === 'content_block_delta' || isToolUse(objectOf(event.content_block)),
  isEnd: (event) => event.type === 'message_stop',
  readRequest: (body, path) =>
    defined({
      model: nameOf(body.model) ?? partOfPath(path, /\/models\/([^/:]+)/),
      messages: anthropicRequestMessages(body),
      tools: toolsOf(body.tools),
      parameters: without(
        body,
        'model',
        'system',
        'messages',
        'tools',
        'stream',
        'anthropic_version',
      ),
    }),
  answerReader: () => new AnthropicReader(),
};

const eventTypes = new Set([
  'message_start',
  'message_delta',
  'message_stop',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'ping',
]);

/** A request's system prompt and messages. */
function anthropicRequestMessages(body: JsonObject): readonly CallMessage[] {
  const system =
    body.system === undefined ? [] : [{ role: 'system', content: systemText(body.system) }];
  return [...system, ...objectsOf(body.messages).flatMap(chatMessages)];
}

function systemText(system: Json): Json {
  return typeof system === 'string' ? system : contentOf(objectsOf(system));
}

/** A message contains tool results among its blocks; in a chat each is a message. */
function chatMessages(message: JsonObject): readonly CallMessage[] {
  const role = textOf(message.role) ?? 'user';
  if (typeof message.content === 'string') return [{ role, content: message.content }];
  const blocks = objectsOf(message.content);
  if (role === 'assistant') return [answerMessage(blocks)];
  const messages: CallMessage[] = [];
  let parts: JsonObject[] = [];
  const flush = () => {
    if (parts.length > 0) messages.push({ role, content: contentOf(parts) });
    parts = [];
  };
  for (const block of blocks) {
    if (block.type === 'tool_result') {
      flush();
      messages.push(toolResult(block));
    } else parts.push(partOf(block));
  }
  flush();
  return messages;
}

function toolResult({ tool_use_id, content = '', type: _, ...other }: JsonObject): CallMessage {
  return toolMessage(
    nameOf(tool_use_id),
    Array.isArray(content) ? contentOf(objectsOf(content).map(partOf)) : content,
    other.is_error === false ? without(other, 'is_error') : other,
  );
}

function answerMessage(blocks: readonly JsonObject[]): CallMessage {
  const calls = blocks.filter(isToolUse);
  return assistantMessage(
    blocks.filter((block) => !isToolUse(block)).map(partOf),
    calls.map(({ id, name, input, ...other }) =>
      toolCallPart(nameOf(id), nameOf(name) ?? '', argumentsText(input), without(other, 'type')),
    ),
  );
}

/** Tools that the provider runs itself are content. */
function isToolUse(block: JsonObject | undefined): boolean {
  return typeof block?.type === 'string' && /^(?!server_|mcp_).*tool_use$/.test(block.type);
}

function partOf(block: JsonObject): JsonObject {
  const { type } = block;
  if (type === 'text') return block.citations === null ? without(block) : block;
  if (type === 'thinking') {
    return reasoningPart(textOf(block.thinking) ?? '', without(block, 'type', 'thinking'));
  }
  const source = objectOf(block.source);
  if (type === 'image' && source !== undefined) {
    const other = without(block, 'type', 'source');
    const url = nameOf(source.url);
    if (url !== undefined) return { type: 'image_url', image_url: { url }, ...other };
    const data = nameOf(source.data);
    if (data !== undefined) return imagePart(nameOf(source.media_type) ?? 'image/png', data, other);
  }
  return block;
}

/** A block that comes in pieces. */
interface BlockPieces {
  readonly start: JsonObject;
  text: string;
  json: string;
  signature: string;
  readonly citations: Json[];
  /** Fields of deltas of other kinds. */
  other: JsonObject;
}

/** Puts a message of Anthropic together, streamed or not. */
class AnthropicReader implements AnswerReader {
  readonly #blocks: BlockPieces[] = [];
  /** The last block with each index: some servers give all the same. */
  readonly #open = new Map<Json | undefined, BlockPieces>();
  #message: JsonObject | undefined;
  #counts: JsonObject = {};
  #stopReason: string | undefined;
  /** The reason of a refusal by the model. */
  #stopDetails: JsonObject | undefined;
  #error: string | undefined;

  push(event: JsonObject): void {
    switch (event.type) {
      case 'message':
        this.#start(event);
        break;
      case 'message_start':
        this.#start(objectOf(event.message) ?? {});
        break;
      case 'content_block_start':
        this.#begin(event.index, objectOf(event.content_block) ?? {});
        break;
      case 'content_block_delta':
        this.#grow(event.index, objectOf(event.delta) ?? {});
        break;
      case 'message_delta':
        this.#stop(objectOf(event.delta) ?? {});
        this.#count(event.usage);
        break;
      default:
        this.#error ??= namedError(event);
    }
  }

  read(): AnsweredPart {
    const blocks = this.#blocks.map(wholeBlock);
    if (this.#stopDetails !== undefined) blocks.push(this.#stopDetails);
    return defined({
      response_id: nameOf(this.#message?.id),
      response_model: nameOf(this.#message?.model),
      answer: this.#message === undefined ? undefined : [answerMessage(blocks)],
      finish_reason: this.#stopReason,
      usage: anthropicUsage(this.#counts),
      error: this.#error,
    });
  }

  #start(message: JsonObject): void {
    this.#message = message;
    this.#stop(message);
    this.#count(message.usage);
    for (const [index, block] of objectsOf(message.content).entries()) {
      this.#begin(index, block);
    }
  }

  #stop({ stop_reason, stop_details }: JsonObject): void {
    this.#stopReason = nameOf(stop_reason) ?? this.#stopReason;
    this.#stopDetails = objectOf(stop_details) ?? this.#stopDetails;
  }

  /** Counts of a later event are totals, not differences. */
  #count(usage: Json | undefined): void {
    this.#counts = { ...this.#counts, ...without(objectOf(usage) ?? {}) };
  }

  #begin(index: Json | undefined, start: JsonObject): BlockPieces {
    const block = newBlock(start);
    this.#blocks.push(block);
    this.#open.set(index, block);
    return block;
  }

  #grow(index: Json | undefined, delta: JsonObject): void {
    const block = this.#open.get(index) ?? this.#begin(index, { type: 'text' });
    block.text += textOf(delta.text) ?? textOf(delta.thinking) ?? '';
    block.json += textOf(delta.partial_json) ?? '';
    block.signature += textOf(delta.signature) ?? '';
    if (delta.citation !== undefined) block.citations.push(delta.citation);
    block.other = { ...block.other, ...without(delta, ...grownFields) };
  }
}

const grownFields = ['type', 'text', 'thinking', 'partial_json', 'signature', 'citation'];

function newBlock(start: JsonObject): BlockPieces {
  return { start, text: '', json: '', signature: '', citations: [], other: {} };
}

function wholeBlock({ start, text, json, signature, citations, other }: BlockPieces): JsonObject {
  const field = start.type === 'thinking' ? 'thinking' : 'text';
  return {
    ...start,
    ...other,
    ...(text !== '' && { [field]: (textOf(start[field]) ?? '') + text }),
    ...(json !== '' && { input: inputFrom(json) }),
    ...(signature !== '' && { signature }),
    ...(citations.length > 0 && { citations }),
  };
}

function anthropicUsage(usage: JsonObject): TokenUsage | undefined {
  return usageWithCacheApart({
    input: countOf(usage.input_tokens),
    cacheRead: countOf(usage.cache_read_input_tokens),
    cacheWrite: countOf(usage.cache_creation_input_tokens),
    cacheWrite1h: countOf(objectOf(usage.cache_creation)?.ephemeral_1h_input_tokens),
    output: countOf(usage.output_tokens),
    reasoning: countOf(objectOf(usage.output_tokens_details)?.thinking_tokens),
  });
}
