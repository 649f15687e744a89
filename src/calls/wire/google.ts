import type { CallMessage } from '../../model/calls/model-call.js';
import type { Json, JsonObject } from '../../model/result.js';
import { namedError } from './errors.js';
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
  assistantMessage,
  contentOf,
  imagePart,
  reasoningPart,
  textPart,
  toolCallPart,
  toolMessage,
} from './messages.js';
import { toolsOf } from './openai-chat.js';
import { usageOf } from './usage-fields.js';
import {
  type AnsweredPart,
  type AnswerReader,
  partOfPath,
  type WireFormat,
} from './wire-format.js';

/** generateContent and streamGenerateContent of Google, at Gemini and at Vertex AI. */
export const googleGenerateContent: WireFormat = {
  provider: 'google',
  operation: 'generate_content',
  path: /:(streamGenerateContent|generateContent)$/,
  isRequest: (body) => body.contents !== undefined,
  isAnswer: (event) =>
    ['candidates', 'usageMetadata', 'promptFeedback'].some((key) => event[key] !== undefined),
  isToken: (event) =>
    objectsOf(event.candidates).some((candidate) =>
      objectsOf(objectOf(candidate.content)?.parts).some((part) => part.text !== ''),
    ),
  isEnd: (event) =>
    nameOf(objectOf(event.promptFeedback)?.blockReason) !== undefined ||
    objectsOf(event.candidates).some(({ finishReason }) => nameOf(finishReason) !== undefined),
  readRequest: (body, path) => {
    const system = body.systemInstruction ?? body.system_instruction;
    return defined({
      model: modelOf(body, path),
      messages: [
        ...(system == null ? [] : [{ role: 'system', content: systemText(system) }]),
        ...contentMessages(body.contents),
      ],
      tools: toolsOf(body.tools),
      parameters: without(
        body,
        ...['model', 'contents', 'systemInstruction', 'system_instruction', 'tools'],
      ),
    });
  },
  answerReader: () => new GoogleReader(),
};

/** The model that an address or a body of Google names, without `models/`. */
export function modelOf(body: JsonObject, path: string): string | undefined {
  const inPath = partOfPath(path, /\/((?:models|tunedModels|endpoints)\/[^/:]+):\w+$/);
  return (inPath ?? nameOf(body.model))?.replace(/^models\//, '');
}

/** The texts of a content, or list of contents, as messages of the user. */
export function contentMessages(contents: Json | undefined): readonly CallMessage[] {
  if (typeof contents === 'string') return [{ role: 'user', content: contents }];
  const list = Array.isArray(contents) ? objectsOf(contents) : objectsOf([contents ?? null]);
  return list.flatMap((content) => chatMessages(content));
}

function systemText(system: Json): Json {
  if (typeof system === 'string') return system;
  return contentOf(objectsOf(objectOf(system)?.parts).map(partOf));
}

/** A content holds answers of tools among its parts; in a chat each is a message. */
function chatMessages(content: JsonObject): readonly CallMessage[] {
  const parts = objectsOf(content.parts);
  if (content.role === 'model') return [answerMessage(parts)];
  const answers = fieldsOf(parts, 'functionResponse').map((answer) => {
    const name = defined({ name: nameOf(answer.name) });
    return toolMessage(nameOf(answer.id), jsonText(answer.response ?? null), name);
  });
  const rest = parts.filter((part) => part.functionResponse === undefined).map(partOf);
  const isSaid = rest.length > 0 || answers.length === 0;
  return [...answers, ...(isSaid ? [{ role: 'user', content: contentOf(rest) }] : [])];
}

function answerMessage(parts: readonly JsonObject[]): CallMessage {
  const calls = fieldsOf(parts, 'functionCall');
  const rest = parts.filter((part) => part.functionCall === undefined);
  return assistantMessage(
    rest.map(partOf),
    calls.map((call) =>
      toolCallPart(nameOf(call.id), nameOf(call.name) ?? '', jsonText(call.args ?? {})),
    ),
  );
}

function partOf(part: JsonObject): JsonObject {
  const text = textOf(part.text);
  if (text !== undefined) return part.thought === true ? reasoningPart(text) : textPart(text);
  const data = objectOf(part.inlineData) ?? objectOf(part.inline_data);
  const type = nameOf(data?.mimeType) ?? nameOf(data?.mime_type);
  const base64 = textOf(data?.data);
  return type?.startsWith('image/') && base64 !== undefined ? imagePart(type, base64) : part;
}

interface Candidate {
  readonly parts: JsonObject[];
  finishReason: string | undefined;
}

/** Puts an answer of Google together, streamed or not. */
class GoogleReader implements AnswerReader {
  readonly #candidates = new Map<Json, Candidate>();
  #part: AnsweredPart = {};
  #usage: JsonObject | undefined;
  #blockReason: string | undefined;
  #error: string | undefined;

  push(event: JsonObject): void {
    this.#part = {
      ...this.#part,
      ...defined({
        response_id: nameOf(event.responseId),
        response_model: nameOf(event.modelVersion),
      }),
    };
    this.#usage = objectOf(event.usageMetadata) ?? this.#usage;
    this.#blockReason = nameOf(objectOf(event.promptFeedback)?.blockReason) ?? this.#blockReason;
    this.#error ??= namedError(event);
    for (const [position, given] of objectsOf(event.candidates).entries()) {
      const index = given.index ?? position;
      const candidate = this.#candidates.get(index) ?? { parts: [], finishReason: undefined };
      this.#candidates.set(index, candidate);
      candidate.finishReason = nameOf(given.finishReason) ?? candidate.finishReason;
      for (const part of objectsOf(objectOf(given.content)?.parts)) addPart(candidate.parts, part);
    }
  }

  read(): AnsweredPart {
    const candidates = [...this.#candidates.values()];
    const usage = this.#usage;
    return {
      ...this.#part,
      ...defined({
        answer:
          candidates.length === 0 ? undefined : candidates.map(({ parts }) => answerMessage(parts)),
        finish_reason: candidates[0]?.finishReason ?? this.#blockReason,
        usage:
          usage &&
          usageOf({
            input: sumOf(countOf(usage.promptTokenCount), countOf(usage.toolUsePromptTokenCount)),
            cache_read: countOf(usage.cachedContentTokenCount),
            cache_write: undefined,
            output: sumOf(countOf(usage.candidatesTokenCount), countOf(usage.thoughtsTokenCount)),
            reasoning: countOf(usage.thoughtsTokenCount),
          }),
        error: this.#error,
      }),
    };
  }
}

/** Texts that follow each other are one, so that a streamed answer reads as one that is not. */
function addPart(parts: JsonObject[], part: JsonObject): void {
  const last = parts.at(-1);
  const text = textOf(part.text);
  const before = textOf(last?.text);
  if (text === undefined) parts.push(part);
  else if (before === undefined || last?.thought !== part.thought) {
    if (text !== '') parts.push(part);
  } else parts[parts.length - 1] = { ...last, text: before + text };
}
