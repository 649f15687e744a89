import type { CallMessage, TokenUsage } from '../../model/calls/model-call.js';
import { parseJson } from '../../model/json-shape.js';
import type { Json, JsonObject } from '../../model/result.js';
import {
  countOf,
  defined,
  fieldsOf,
  jsonText,
  nameOf,
  objectOf,
  objectsOf,
  textOf,
  without,
} from './json.js';
import {
  assistantMessage,
  contentOf,
  imagePart,
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

/** What a request of this shape says, without its model. */
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

/** A message holds results of tools among its blocks; in a chat each is a message. */
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

function answerMessage(blocks: readonly JsonObject[]): CallMessage {
  const calls = fieldsOf(blocks, 'toolUse');
  return assistantMessage(
    blocks.filter((block) => block.toolUse === undefined).map(partOf),
    calls.map(({ toolUseId, name, input }) =>
      toolCallPart(
        nameOf(toolUseId),
        nameOf(name) ?? '',
        typeof input === 'string' ? input : jsonText(input ?? {}),
      ),
    ),
  );
}

function partOf(block: JsonObject): JsonObject {
  const text = textOf(block.text);
  if (text !== undefined) return textPart(text);
  const thought = objectOf(objectOf(block.reasoningContent)?.reasoningText);
  if (thought !== undefined)
    return reasoningPart(textOf(thought.text) ?? '', without(thought, 'text'));
  const image = objectOf(block.image);
  const bytes = nameOf(objectOf(image?.source)?.bytes);
  return bytes === undefined ? block : imagePart(`image/${nameOf(image?.format) ?? 'png'}`, bytes);
}

/** A block that comes in pieces. */
interface BlockPieces {
  readonly toolUse: JsonObject | undefined;
  input: string;
  text: string | undefined;
  thought: string | undefined;
  signature: string;
}

/** Puts an answer of Converse together, streamed or not. */
export class ConverseReader implements AnswerReader {
  readonly #blocks = new Map<Json | undefined, BlockPieces>();
  #message: JsonObject | undefined;
  #hasStarted = false;
  #stopReason: string | undefined;
  #usage: JsonObject = {};

  push(event: JsonObject, name?: string): void {
    const index = event.contentBlockIndex;
    if (name === 'messageStart') this.#hasStarted = true;
    else if (name === 'contentBlockStart') {
      this.#blocks.set(index, newBlock(objectOf(objectOf(event.start)?.toolUse)));
    } else if (name === 'contentBlockDelta') {
      const block = this.#blocks.get(index) ?? newBlock(undefined);
      this.#blocks.set(index, block);
      grow(block, objectOf(event.delta) ?? {});
    } else {
      this.#message ??= objectOf(objectOf(event.output)?.message);
      this.#stopReason = nameOf(event.stopReason) ?? this.#stopReason;
      this.#usage = objectOf(event.usage) ?? this.#usage;
    }
  }

  read(): AnsweredPart {
    const blocks = this.#message
      ? objectsOf(this.#message.content)
      : [...this.#blocks.values()].map(wholeBlock);
    const hasAnswer = this.#message !== undefined || this.#hasStarted || blocks.length > 0;
    return defined({
      answer: hasAnswer ? [answerMessage(blocks)] : undefined,
      finish_reason: this.#stopReason,
      usage: converseUsage(this.#usage),
    });
  }
}

function newBlock(toolUse: JsonObject | undefined): BlockPieces {
  return { toolUse, input: '', text: undefined, thought: undefined, signature: '' };
}

function grow(block: BlockPieces, delta: JsonObject): void {
  const text = textOf(delta.text);
  if (text !== undefined) block.text = (block.text ?? '') + text;
  block.input += textOf(objectOf(delta.toolUse)?.input) ?? '';
  const thought = objectOf(delta.reasoningContent);
  if (thought === undefined) return;
  block.thought = (block.thought ?? '') + (textOf(thought.text) ?? '');
  block.signature += textOf(thought.signature) ?? '';
}

function wholeBlock(block: BlockPieces): JsonObject {
  const { toolUse, input, text, thought, signature } = block;
  if (toolUse !== undefined) {
    const given = input === '' ? (toolUse.input ?? {}) : (parseJson(input) ?? input);
    return { toolUse: { ...toolUse, input: given } };
  }
  if (thought === undefined) return { text: text ?? '' };
  const signed = signature === '' ? {} : { signature };
  return { reasoningContent: { reasoningText: { text: thought, ...signed } } };
}

function converseUsage(usage: JsonObject): TokenUsage | undefined {
  return usageWithCacheApart({
    input: countOf(usage.inputTokens),
    cacheRead: countOf(usage.cacheReadInputTokens) ?? countOf(usage.cacheReadInputTokenCount),
    cacheWrite: countOf(usage.cacheWriteInputTokens) ?? countOf(usage.cacheWriteInputTokenCount),
    output: countOf(usage.outputTokens),
  });
}
