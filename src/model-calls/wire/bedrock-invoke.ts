import type { TokenUsage } from '../../model/calls/model-call.js';
import { parseJson } from '../../model/json.js';
import type { JsonObject } from '../../model/result.js';
import { anthropicMessages } from './anthropic.js';
import {
  bedrockConverse,
  ConverseReader,
  converseRequest,
  eventNames,
} from './bedrock-converse.js';
import { cohereToolCalls } from './cohere.js';
import { countOf, defined, listOf, nameOf, objectOf, objectsOf, textOf, without } from './json.js';
import { assistantMessage, imagePart, textPart } from './messages.js';
import { openaiChat, promptMessages } from './openai-chat.js';
import { usageOf, usageWithCacheApart } from './usage-fields.js';
import {
  type AnsweredPart,
  type AnswerReader,
  type AskedPart,
  partOfPath,
  type WireFormat,
} from './wire-format.js';

/**
 * InvokeModel and InvokeModelWithResponseStream of Amazon Bedrock: requests and answers in the maker's own shape, here
 * Anthropic's, Nova's (that of Converse), chat completions, and the prompts and texts of Llama, Titan, Mistral and Cohere.
 */
export const bedrockInvoke: WireFormat = {
  provider: 'aws.bedrock',
  operation: 'chat',
  path: /\/model\/[^/]+\/invoke(-with-response-stream)?$/,
  isKnownByPath: true,
  isRequest: () => true,
  isAnswer: (_, name) => name === 'chunk',
  isToken: (event, name) => asks(event, name, 'isToken') ?? textPiece(chunkOf(event, name)) !== '',
  isEnd: (event, name) =>
    asks(event, name, 'isEnd') ??
    chunkOf(event, name)['amazon-bedrock-invocationMetrics'] !== undefined,
  readRequest: (body, path) => {
    const model = partOfPath(path, /\/model\/([^/]+)\//);
    const { model: _, ...said } = requestOf(body, path);
    return defined({ model, ...said });
  },
  answerReader: () => new InvokeReader(),
};

function requestOf(body: JsonObject, path: string): AskedPart {
  if (anthropicMessages.isRequest(body)) return anthropicMessages.readRequest(body, path);
  if (bedrockConverse.isRequest(body)) return converseRequest(body);
  if (openaiChat.isRequest(body)) return openaiChat.readRequest(body, path);
  const prompt = body.prompt ?? body.inputText ?? body.message ?? body.texts;
  return {
    messages: promptMessages(prompt, body.images),
    parameters: without(body, 'prompt', 'inputText', 'message', 'texts', 'images'),
  };
}

/** A chunk contains an event in the maker's shape as Base64; an answer that is not a stream is one itself. */
function chunkOf(event: JsonObject, name: string | undefined): JsonObject {
  if (name !== 'chunk') return event;
  const base64 = textOf(event.bytes) ?? '';
  return objectOf(parseJson(Buffer.from(base64, 'base64').toString('utf8'))) ?? {};
}

/** Events of Converse have their name as their only key. */
function converseEvent(chunk: JsonObject): { name: string; event: JsonObject } | undefined {
  for (const name of eventNames) {
    const event = objectOf(chunk[name]);
    if (event !== undefined) return { name, event };
  }
  return undefined;
}

/** Reads an event in the shape of the model's maker; absent for shapes that are text alone. */
function asks(
  event: JsonObject,
  name: string | undefined,
  question: 'isToken' | 'isEnd',
): boolean | undefined {
  const chunk = chunkOf(event, name);
  if (anthropicMessages.isAnswer(chunk)) return anthropicMessages[question](chunk);
  const given = converseEvent(chunk);
  if (given !== undefined) return bedrockConverse[question](given.event, given.name);
  return Array.isArray(chunk.choices) && question === 'isToken'
    ? openaiChat.isToken(chunk)
    : undefined;
}

/** Puts an answer of InvokeModel together, streamed or not. */
class InvokeReader implements AnswerReader {
  #inner: AnswerReader | undefined;
  #metrics: JsonObject | undefined;

  push(event: JsonObject, name?: string): void {
    const chunk = chunkOf(event, name);
    this.#metrics = objectOf(chunk['amazon-bedrock-invocationMetrics']) ?? this.#metrics;
    const given = converseEvent(chunk);
    this.#inner ??= readerFor(chunk, given !== undefined);
    this.#inner.push(given?.event ?? chunk, given?.name);
  }

  read(): AnsweredPart {
    const part = this.#inner?.read() ?? {};
    const metrics = this.#metrics;
    const usage = part.usage ?? (metrics && metricsUsage(metrics));
    return { ...part, ...defined({ usage }) };
  }
}

function readerFor(chunk: JsonObject, isConverse: boolean): AnswerReader {
  if (anthropicMessages.isAnswer(chunk)) return anthropicMessages.answerReader();
  if (isConverse || bedrockConverse.isAnswer(chunk)) return new ConverseReader();
  return openaiChat.isAnswer(chunk) ? openaiChat.answerReader() : new TextReader();
}

function metricsUsage(metrics: JsonObject): TokenUsage | undefined {
  return usageWithCacheApart({
    input: countOf(metrics.inputTokenCount),
    cacheRead: countOf(metrics.cacheReadInputTokenCount),
    cacheWrite: countOf(metrics.cacheWriteInputTokenCount),
    output: countOf(metrics.outputTokenCount),
  });
}

/** The first listed output of a text-only answer, or of a piece of it. */
function firstListed(chunk: JsonObject): JsonObject | undefined {
  return ['outputs', 'results', 'generations', 'choices'].flatMap((key) =>
    objectsOf(chunk[key]),
  )[0];
}

/** The text of an answer of Llama, Titan, Mistral, Cohere or the older Claude, or a piece of it. */
function textPiece(chunk: JsonObject): string {
  const listed = firstListed(chunk);
  const given = [chunk.generation, chunk.outputText, chunk.completion, chunk.text];
  const text = [...given, listed?.outputText, listed?.text].map(textOf);
  return text.find((found) => found !== undefined) ?? '';
}

/** Puts an answer together that is text alone. */
class TextReader implements AnswerReader {
  #text = '';
  #last: JsonObject = {};

  push(chunk: JsonObject): void {
    this.#text += textPiece(chunk);
    this.#last = { ...this.#last, ...without(chunk) };
  }

  read(): AnsweredPart {
    const last = this.#last;
    const listed = firstListed(last);
    const message = assistantMessage(partsOf(this.#text, last), cohereToolCalls(last));
    const hasAnswer = message.content !== '';
    const reasons = [last, listed].flatMap((given) => [
      given?.stop_reason,
      given?.completionReason,
      given?.finish_reason,
    ]);
    return defined({
      answer: hasAnswer ? [message] : undefined,
      finish_reason: reasons.map(nameOf).find((reason) => reason !== undefined),
      usage: usageOf({
        input: countOf(last.prompt_token_count) ?? countOf(last.inputTextTokenCount),
        output:
          countOf(last.generation_token_count) ??
          countOf(last.totalOutputTextTokenCount) ??
          countOf(listed?.tokenCount),
      }),
    });
  }
}

/** The text, images as Titan and Stability answer them, and citations of Cohere. */
function partsOf(text: string, { images, citations }: JsonObject): readonly JsonObject[] {
  const noted = listOf(citations).length === 0 ? {} : { citations: citations ?? [] };
  return [
    ...(text === '' ? [] : [{ ...textPart(text), ...noted }]),
    ...listOf(images).flatMap((image) =>
      typeof image === 'string' ? [imagePart('image/png', image)] : [],
    ),
  ];
}
