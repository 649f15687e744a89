import { isEncrypted } from '../../../../src/model/calls/encrypted-thought.js';
import { imageUrl } from '../values/safe-url.js';
import { type Fields, fieldsOf, objectsOf, textOf } from './fields.js';
import type { Part } from './message.js';
import { readGrounding, readSources } from './read-sources.js';
import { type Answer, answerOf, isItemType, readCall, readTool } from './read-tools.js';

/** A part of a message, or the answer of a tool. */
export type Said = Part | Answer;

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
