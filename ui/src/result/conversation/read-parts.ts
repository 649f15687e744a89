import { imageUrl } from '../values/safe-url.js';
import type { Part } from './message.js';

/** An object with unknown fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** A part of a message, or the answer of a tool to the call `id`. */
export type Said =
  | Part
  | { readonly kind: 'answer'; readonly id: string | undefined; readonly answer: unknown };

/** The fields of an object. */
export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : undefined;
}

/** A string that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The parts of a message in order, in the formats of OpenAI, Anthropic, Gemini and the AI SDK. */
export function readParts(message: Fields): readonly Said[] {
  if (message.type === 'function_call') return [readCall(message)];
  if (message.type === 'function_call_output') {
    return [answer(textOf(message.call_id), message.output)];
  }
  const content = message.content ?? message.parts;
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  if (calls.length === 0 && isToolRole(message.role) && !hasAnswers(content)) {
    return [answer(textOf(message.tool_call_id) ?? textOf(message.id), content)];
  }
  return [...readContent(content), ...calls.map((call) => readCall(fieldsOf(call) ?? {}))];
}

function isToolRole(role: unknown): boolean {
  return role === 'tool' || role === 'function';
}

function hasAnswers(content: unknown): boolean {
  return (
    Array.isArray(content) &&
    content.some((part) => /tool.result/.test(textOf(fieldsOf(part)?.type) ?? ''))
  );
}

function readContent(content: unknown): readonly Said[] {
  if (content === null || content === undefined || content === '') return [];
  if (Array.isArray(content)) return content.map(readPart);
  return [typeof content === 'string' ? { kind: 'text', text: content } : readPart(content)];
}

function readPart(part: unknown): Said {
  if (typeof part === 'string') return { kind: 'text', text: part };
  const fields = fieldsOf(part);
  if (fields === undefined) return { kind: 'value', value: part };
  const type = textOf(fields.type);
  if (type === 'tool_use' || type === 'tool-call' || fields.functionCall !== undefined) {
    return readCall(fieldsOf(fields.functionCall) ?? fields);
  }
  if (type === 'tool_result' || type === 'tool-result') {
    const id = textOf(fields.tool_use_id) ?? textOf(fields.toolCallId);
    return answer(id, fields.content ?? fields.output ?? fields.result);
  }
  const reply = fieldsOf(fields.functionResponse);
  if (reply) return answer(textOf(reply.id) ?? textOf(reply.name), reply.response);
  const url = imageIn(fields);
  if (url !== undefined) return { kind: 'image', url };
  const text = textOf(fields.text) ?? textOf(fields.thinking) ?? textOf(fields.refusal);
  return text === undefined ? { kind: 'value', value: part } : { kind: 'text', text };
}

function readCall(call: Fields): Part {
  const made = fieldsOf(call.function) ?? call;
  const name = textOf(made.name) ?? textOf(made.toolName) ?? 'tool';
  const given = made.arguments ?? made.input ?? made.args;
  const id = textOf(call.id) ?? textOf(call.call_id) ?? textOf(call.toolCallId);
  return { kind: 'call', id: id ?? name, name, given: parsed(given) };
}

function answer(id: string | undefined, value: unknown): Said {
  const parts = Array.isArray(value) ? value.map((part) => textOf(fieldsOf(part)?.text)) : [];
  const isText = parts.length > 0 && parts.every((text) => text !== undefined);
  return { kind: 'answer', id, answer: parsed(isText ? parts.join('\n') : value) };
}

/** Parses a string with JSON, which tool arguments and answers often are. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
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
