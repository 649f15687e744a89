import { isEncrypted } from '../../../../src/model/calls/encrypted-thought.js';
import { imageUrl } from '../values/safe-url.js';
import { type Fields, fieldsOf, objectsOf, textOf } from './fields.js';
import type { CitedSource, Part } from './message.js';
import { answerOf, isItemType, readCall, readTool, type ToolAnswer } from './read-tools.js';
/** A part of a message, or the answer of a tool. */
export type Said = Part | ToolAnswer;

/** The parts of a message in order, in the formats of OpenAI, Anthropic, Gemini, Bedrock and the AI SDK. */
export function readParts(message: Fields): readonly Said[] {
  const content = message.content ?? message.parts;
  const calls = objectsOf(message.tool_calls);
  const older = fieldsOf(message.function_call);
  const isItem = message.role === undefined && calls.length === 0 && older === undefined;
  if (isItem && (content === undefined || isItemType(message.type))) return [readPart(message)];
  if (calls.length === 0 && isToolRole(message.role) && !hasAnswers(content)) {
    const id = textOf(message.tool_call_id) ?? textOf(message.id) ?? textOf(message.name);
    return [answerOf(id, content, message.is_error === true)];
  }
  const sources = readSources(message.annotations, message.citations);
  return [
    ...messageThoughts(message),
    ...readContent(content),
    ...readContent(message.refusal),
    ...(sources.length > 0 ? [{ kind: 'sources' as const, sources }] : []),
    ...[...calls, ...(older ? [older] : [])].map(readCall),
  ];
}

/** Fields in which servers send thoughts beside the content. */
function messageThoughts(message: Fields): readonly Part[] {
  const { reasoning_content: openai, reasoning: router, thinking: ollama } = message;
  const text = textOf(openai) ?? textOf(router) ?? textOf(ollama);
  return text === undefined ? [] : [{ kind: 'thinking', text }];
}

function isToolRole(role: unknown): boolean {
  return role === 'tool' || role === 'function';
}

function hasAnswers(content: unknown): boolean {
  return objectsOf(content).some((part) => readTool(part)?.kind === 'answer');
}

function readContent(content: unknown): readonly Said[] {
  if (content === null || content === undefined || content === '') return [];
  if (Array.isArray(content)) return content.map(readPart);
  return [readPart(content)];
}

function readPart(part: unknown): Said {
  if (typeof part === 'string') return { kind: 'text', text: part };
  const fields = fieldsOf(part);
  if (fields === undefined) return { kind: 'value', value: part };
  const thought = readThought(fields);
  if (thought !== undefined) {
    const isSealed = thought === '' && isEncrypted(fields);
    return { kind: 'thinking', text: thought, ...(isSealed && { isEncrypted: true }) };
  }
  if (fields.type === 'item_reference') {
    return { kind: 'text', text: `Item ${fields.id} of an earlier answer` };
  }
  const tool = readTool(fields);
  if (tool !== undefined) return tool;
  const url = imageIn(fields);
  if (url !== undefined) return { kind: 'image', url };
  const named = fields.type === 'source' ? readSources([fields]) : readGrounding(fields);
  if (named.length > 0) return { kind: 'sources', sources: named };
  const text = textOf(fields.text) ?? textOf(fields.refusal);
  if (text === undefined) return { kind: 'value', value: part };
  const sources = readSources(fields.citations, fields.annotations);
  return { kind: 'text', text, ...(sources.length > 0 && { sources }) };
}

/** The thoughts of a part; empty if they are not shown, `undefined` for any other part. */
function readThought(fields: Fields): string | undefined {
  const bedrock = fieldsOf(fields.reasoningContent);
  if (bedrock) return textOf(fieldsOf(bedrock.reasoningText)?.text) ?? '';
  const isThought =
    fields.thought === true || /^(redacted[_-])?(thinking|reasoning)/.test(String(fields.type));
  if (!isThought) return undefined;
  const listed = [...objectsOf(fields.summary), ...objectsOf(fields.content)];
  return (
    textOf(fields.text) ??
    textOf(fields.thinking) ??
    textOf(fields.reasoning) ??
    textOf(fieldsOf(fields.reasoning_content)?.text) ??
    listed.flatMap(({ text }) => textOf(text) ?? []).join('\n\n')
  );
}

function imageIn(fields: Fields): string | undefined {
  const { image_url: link, source, image, data } = fields;
  const inline = fieldsOf(source) ?? fieldsOf(fields.inlineData) ?? fieldsOf(fields.inline_data);
  if (inline && typeof inline.data === 'string') {
    const type = textOf(inline.media_type) ?? textOf(inline.mimeType) ?? textOf(inline.mime_type);
    return imageUrl(`data:${type};base64,${inline.data}`);
  }
  return imageUrl(fieldsOf(link)?.url ?? link ?? image ?? data);
}

/** The distinct sources of lists of citations. */
function readSources(...lists: readonly unknown[]): readonly CitedSource[] {
  const found = new Map<string, CitedSource>();
  for (const fields of lists.flatMap(objectsOf)) {
    const source = readSource(fields);
    if (source !== undefined) found.set(JSON.stringify(source), source);
  }
  return [...found.values()];
}

/** The sources that Google says beside the parts of an answer. */
function readGrounding(fields: Fields): readonly CitedSource[] {
  const grounding = fieldsOf(fields.groundingMetadata);
  const { citations, citationSources } = fieldsOf(fields.citationMetadata) ?? {};
  return readSources(grounding?.groundingChunks, citations, citationSources);
}

function readSource(given: Fields): CitedSource | undefined {
  const fields =
    ['url_citation', 'file_citation', 'web', 'retrievedContext']
      .map((key) => fieldsOf(given[key]))
      .find((one) => one !== undefined) ?? given;
  const url = textOf(fields.url) ?? textOf(fields.uri) ?? webLocation(fields);
  const title =
    firstText(fields, ['title', 'document_title', 'filename', 'source', 'file_id']) ??
    listedIds(fields);
  const quotes = objectsOf(fields.sourceContent).flatMap(({ text }) => textOf(text) ?? []);
  const quote = textOf(fields.cited_text) ?? textOf(quotes.join(' '));
  if (url === undefined && title === undefined && quote === undefined) return undefined;
  return {
    ...(title !== undefined && { title }),
    ...(url !== undefined && { url }),
    ...(quote !== undefined && { quote }),
  };
}

function webLocation(fields: Fields): string | undefined {
  return textOf(fieldsOf(fieldsOf(fields.location)?.web)?.url);
}

function firstText(fields: Fields, keys: readonly string[]): string | undefined {
  return keys.map((key) => textOf(fields[key])).find((text) => text !== undefined);
}

function listedIds({ document_ids: ids }: Fields): string | undefined {
  return Array.isArray(ids) ? textOf(ids.join(', ')) : undefined;
}
