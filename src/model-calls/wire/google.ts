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
  without,
} from './json.js';
import {
  argumentsText,
  assistantMessage,
  contentOf,
  imagePart,
  otherPart,
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
  lastAnswer,
  namedError,
  noStream,
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
function modelOf(body: JsonObject, path: string): string | undefined {
  const inPath = partOfPath(path, /\/((?:models|tunedModels|endpoints)\/[^/:]+):\w+$/);
  return (inPath ?? nameOf(body.model))?.replace(/^models\//, '');
}

/** The texts of a content, or list of contents, as messages of the user. */
function contentMessages(contents: Json | undefined): readonly CallMessage[] {
  if (typeof contents === 'string') return [{ role: 'user', content: contents }];
  const list = Array.isArray(contents) ? objectsOf(contents) : objectsOf([contents ?? null]);
  return list.flatMap((content) => chatMessages(content));
}

function systemText(system: Json): Json {
  if (typeof system === 'string') return system;
  return contentOf(objectsOf(objectOf(system)?.parts).map(partOf));
}

/** A content contains tool answers among its parts; in a chat each is a message. */
function chatMessages(content: JsonObject): readonly CallMessage[] {
  const parts = objectsOf(content.parts);
  if (content.role === 'model') return [answerMessage(parts)];
  const answers = fieldsOf(parts, 'functionResponse').map((answer) =>
    toolMessage(
      nameOf(answer.id),
      jsonText(answer.response ?? null),
      without(answer, 'id', 'response'),
    ),
  );
  const rest = parts.filter((part) => part.functionResponse === undefined).map(partOf);
  const isSaid = rest.length > 0 || answers.length === 0;
  return [...answers, ...(isSaid ? [{ role: 'user', content: contentOf(rest) }] : [])];
}

function answerMessage(parts: readonly JsonObject[]): CallMessage {
  const isCall = (part: JsonObject) => objectOf(part.functionCall) !== undefined;
  const rest = parts.filter((part) => !isCall(part));
  return assistantMessage(rest.map(partOf), parts.filter(isCall).map(callPart));
}

function callPart({ functionCall, ...other }: JsonObject): JsonObject {
  const { id, name, args } = objectOf(functionCall) ?? {};
  return toolCallPart(nameOf(id), nameOf(name) ?? '', argumentsText(args), other);
}

function partOf(part: JsonObject): JsonObject {
  const { text, thought, ...other } = part;
  if (typeof text === 'string') {
    return thought === true ? reasoningPart(text, other) : { ...textPart(text), ...other };
  }
  if (part.type !== undefined) return part;
  const { inlineData, inline_data: inline = inlineData, ...beside } = part;
  const { mimeType, mime_type: type = mimeType, data } = objectOf(inline) ?? {};
  return typeof type === 'string' && type.startsWith('image/') && typeof data === 'string'
    ? imagePart(type, data, beside)
    : otherPart(part);
}

interface Candidate {
  readonly parts: JsonObject[];
  /** Fields beside its parts: citations, sources … */
  readonly notes: JsonObject[];
  finishReason: string | undefined;
  ratings: readonly JsonObject[];
}

/** Fields of a candidate that are not kept, or not as they are. */
const readFields = [
  ...['content', 'finishReason', 'index', 'tokenCount', 'safetyRatings'],
  ...['avgLogprobs', 'logprobsResult'],
];

/** Puts an answer of Google together, streamed or not. */
class GoogleReader implements AnswerReader {
  readonly #candidates = new Map<Json, Candidate>();
  #part: AnsweredPart = {};
  #usage: JsonObject | undefined;
  /** The reason for refusing a prompt. */
  #block: JsonObject | undefined;
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
    const feedback = objectOf(event.promptFeedback);
    if (nameOf(feedback?.blockReason) !== undefined) this.#block = feedback;
    this.#error ??= namedError(event);
    for (const [position, given] of objectsOf(event.candidates).entries()) {
      const index = given.index ?? position;
      const known = this.#candidates.get(index);
      const candidate = known ?? { parts: [], notes: [], finishReason: undefined, ratings: [] };
      this.#candidates.set(index, candidate);
      grow(candidate, given);
    }
  }

  read(): AnsweredPart {
    const candidates = [...this.#candidates.values()];
    const usage = this.#usage;
    const answer = candidates.map((candidate) =>
      answerMessage([...candidate.parts, ...notesOf(candidate)]),
    );
    if (answer.length === 0 && this.#block !== undefined) {
      const part = otherPart({ promptFeedback: this.#block });
      answer.push({ role: 'assistant', content: [part] });
    }
    return {
      ...this.#part,
      ...defined({
        answer: answer.length === 0 ? undefined : answer,
        finish_reason: candidates[0]?.finishReason ?? nameOf(this.#block?.blockReason),
        usage: usage && googleUsage(usage),
        error: this.#error,
      }),
    };
  }
}

/** Adds an event of a candidate. */
function grow(candidate: Candidate, given: JsonObject): void {
  candidate.finishReason = nameOf(given.finishReason) ?? candidate.finishReason;
  const ratings = objectsOf(given.safetyRatings);
  if (ratings.length > 0) candidate.ratings = ratings;
  for (const part of objectsOf(objectOf(given.content)?.parts)) addPart(candidate.parts, part);
  for (const [key, value] of Object.entries(without(given, ...readFields))) {
    const note = otherPart({ [key]: value });
    const text = jsonText(note);
    if (candidate.notes.every((known) => jsonText(known) !== text)) candidate.notes.push(note);
  }
}

/** Ratings of an answer that nothing stopped are left out. */
function notesOf({ notes, finishReason = 'STOP', ratings }: Candidate): readonly JsonObject[] {
  const isStopped = !['STOP', 'MAX_TOKENS'].includes(finishReason);
  const isBlocked = ratings.length > 0 && (isStopped || ratings.some(({ blocked }) => blocked));
  return isBlocked ? [...notes, otherPart({ safetyRatings: ratings })] : notes;
}

/** Usage of answers and of embeddings. */
function googleUsage(usage: JsonObject): TokenUsage | undefined {
  const audio = (details: Json | undefined) =>
    countOf(objectsOf(details).find(({ modality }) => modality === 'AUDIO')?.tokenCount);
  return usageOf({
    input: sumOf(countOf(usage.promptTokenCount), countOf(usage.toolUsePromptTokenCount)),
    cache_read: countOf(usage.cachedContentTokenCount),
    output: sumOf(countOf(usage.candidatesTokenCount), countOf(usage.thoughtsTokenCount)),
    reasoning: countOf(usage.thoughtsTokenCount),
    input_audio: audio(usage.promptTokensDetails),
    output_audio: audio(usage.candidatesTokensDetails),
  });
}

/** Texts and arguments that follow each other are one, so that a streamed answer reads as one that is not. */
function addPart(parts: JsonObject[], part: JsonObject): void {
  const last = parts.at(-1);
  const [call, before] = [objectOf(part.functionCall), objectOf(last?.functionCall)];
  if (call !== undefined && (isPartial(call) || isPartial(before))) {
    const continued = isPartial(before) ? parts.pop() : undefined;
    const functionCall = withPartialArgs(objectOf(continued?.functionCall), call);
    parts.push({ ...continued, ...part, functionCall });
    return;
  }
  const { text } = part;
  const isSame =
    typeof last?.text === 'string' &&
    last.thought === part.thought &&
    last.thoughtSignature === undefined;
  if (typeof text !== 'string' || (!isSame && Object.keys(part).some(isFilled(part)))) {
    parts.push(part);
  } else if (isSame) parts[parts.length - 1] = { ...last, ...part, text: `${last.text}${text}` };
}

function isFilled(part: JsonObject): (key: string) => boolean {
  return (key) => part[key] !== '' && key !== 'thought';
}

/** True for a function call with further pieces to come. */
function isPartial(call: JsonObject | undefined): boolean {
  return call?.willContinue === true;
}

/** A function call of a stream after a further piece, which names the values that it sets by JSON path. */
function withPartialArgs(before: JsonObject = {}, piece: JsonObject): JsonObject {
  const { partialArgs, willContinue: _, ...fields } = piece;
  let args: Json = { ...objectOf(before.args), ...objectOf(piece.args) };
  for (const partial of objectsOf(partialArgs)) {
    const path = nameOf(partial.jsonPath)?.match(/[^.[\]'"$]+/g) ?? [];
    args = withValue(args, path, givenValue(partial));
  }
  const isEnded = piece.willContinue !== true;
  const { willContinue: __, ...rest } = before;
  return { ...rest, ...fields, args, ...(!isEnded && { willContinue: true }) };
}

function givenValue({ stringValue, numberValue, boolValue }: JsonObject): Json {
  return stringValue ?? numberValue ?? boolValue ?? null;
}

/** Texts grow, everything else is replaced. */
function withValue(whole: Json | undefined, path: readonly string[], value: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) {
    return typeof whole === 'string' && typeof value === 'string' ? whole + value : value;
  }
  if (/^\d+$/.test(key) && (whole === undefined || Array.isArray(whole))) {
    const list: Json[] = whole === undefined ? [] : [...whole];
    const at = Math.min(Number(key), list.length);
    list[at] = withValue(list[at], rest, value);
    return list;
  }
  const fields = objectOf(whole) ?? {};
  return { ...fields, [key]: withValue(fields[key], rest, value) };
}

/** Embeddings of Google, one or many. */
export const googleEmbeddings: WireFormat = {
  ...noStream,
  provider: 'google',
  operation: 'embeddings',
  path: /:(embedContent|batchEmbedContents)$/,
  isRequest: (body) => body.content !== undefined || Array.isArray(body.requests),
  isAnswer: (answer) =>
    Array.isArray(objectOf(answer.embedding)?.values) ||
    (Array.isArray(answer.embeddings) && objectOf(answer.embeddings[0]) !== undefined),
  readRequest: (body, path) =>
    defined({
      model: modelOf(body, path),
      messages: [body, ...objectsOf(body.requests)].flatMap(({ content }) =>
        contentMessages(content),
      ),
      parameters: without(body, 'model', 'content', 'requests'),
    }),
  answerReader: () =>
    lastAnswer(({ usageMetadata }) => ({ usage: googleUsage(objectOf(usageMetadata) ?? {}) })),
};
