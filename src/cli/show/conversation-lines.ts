import { isEncrypted } from '../../model/calls/encrypted-thought.js';
import { isConversation } from '../../model/conversation.js';
import type { Json, JsonObject } from '../../model/result.js';
import { countOf } from '../../text/count-text.js';
import {
  escapeLines,
  escapeTerminal,
  fitWidth,
  padEnd,
  widthOf,
  wrapLine,
} from '../terminal/terminal-text.js';

const widestRole = 20;
const mostMessages = 30;
const firstMessages = 6;
const mostLines = 12;
const firstLines = 8;
const indent = '    ';

export interface ConversationOptions {
  readonly columns: number;
  /** A command that prints all of it; absent where nothing is cut. */
  readonly whole?: string | undefined;
}

/** Messages in the formats of model APIs, each with its role, text and tool calls; `undefined` for other values. */
export function conversationLines(
  value: Json | undefined,
  { columns, whole }: ConversationOptions,
): string[] | undefined {
  if (value === undefined || !isConversation(value)) return undefined;
  const messages = (value as JsonObject[]).map((message) => ({
    role: fitWidth(escapeTerminal(String(message.role)), widestRole),
    text: textsOf(message).join('\n'),
  }));
  const width = messages.reduce((widest, { role }) => Math.max(widest, widthOf(role)), 0);
  const begin = indent.length + width + 2;
  let isCut = false;
  const cut = (lines: string[], most: number, first: number, unit: string): string[] => {
    if (whole === undefined || lines.length <= most) return lines;
    isCut = true;
    const last = lines.length - (most - first - 1);
    const missing = `… ${countOf(last - first, `more ${unit}`)}`;
    return [...lines.slice(0, first), missing, ...lines.slice(last)];
  };
  const blocks = messages.map(({ role, text }) => {
    const lines = escapeLines(text.replace(/\n+$/, '')).flatMap((line) =>
      wrapLine(line, columns - begin),
    );
    return cut(lines, mostLines, firstLines, 'line')
      .map((line, at) => `${indent}${padEnd(at === 0 ? role : '', width)}  ${line}`.trimEnd())
      .join('\n');
  });
  const lines = cut(blocks, mostMessages, firstMessages, 'message').flatMap((block) =>
    block.startsWith('…') ? [indent + block] : block.split('\n'),
  );
  return isCut ? [...lines, `${indent}all of it: ${whole}`] : lines;
}

function textsOf(message: JsonObject): string[] {
  const { content, parts, refusal = null, tool_calls: calls, function_call: older } = message;
  const thought = [message.reasoning_content, message.reasoning, message.thinking].find(isText);
  const said = [content, parts].flatMap((given) =>
    Array.isArray(given) ? given : [given ?? null],
  );
  const asked = [...(Array.isArray(calls) ? calls : []), ...(older == null ? [] : [older])];
  return [
    ...(thought === undefined ? [] : [`(thinks) ${thought}`]),
    ...[...said, refusal].map(partText),
    ...asked.map((call) => callText(fieldsOf(call))),
  ].filter((text) => text !== '');
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

/** A part of a message as OpenAI, Anthropic, Google, Bedrock and the AI SDK have them. */
function partText(part: Json): string {
  if (part === null) return '';
  if (typeof part === 'string') return part;
  const fields = fieldsOf(part);
  const { type, text, thinking, thought } = fields;
  if (type === 'item_reference') return `[item ${fields.id} of an earlier answer]`;
  if (type === 'reasoning' && !text && !fields.summary) {
    return isEncrypted(fields) ? '(thinks, encrypted)' : '(thinks, not shown)';
  }
  if (typeof thinking === 'string') return `(thinks) ${thinking}`;
  if (typeof text === 'string') {
    return thought === true || type === 'reasoning' ? `(thinks) ${text}` : text;
  }
  const call = fields.functionCall ?? fields.toolUse;
  if (call !== undefined) return callText(fieldsOf(call));
  if (/^(tool_use|tool-call|function_call)$/.test(String(type))) return callText(fields);
  const answer = fields.functionResponse ?? fields.toolResult;
  if (answer !== undefined) return answerText(fieldsOf(answer));
  if (/^tool[_-]result$/.test(String(type))) return answerText(fields);
  if (/image|audio|file/.test(String(type))) return `[${type}]`;
  return JSON.stringify(part);
}

function callText(call: JsonObject): string {
  const { name = call.toolName ?? 'tool', ...given } = { ...call, ...fieldsOf(call.function) };
  const input = given.arguments ?? given.args ?? given.input ?? null;
  return input === null ? `→ ${name}` : `→ ${name} ${plainText(input)}`;
}

function answerText(answer: JsonObject): string {
  const { content = answer.output ?? answer.result ?? answer.response ?? null } = answer;
  return `← ${Array.isArray(content) ? content.map(partText).join('\n') : plainText(content)}`;
}

function plainText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function fieldsOf(value: Json | undefined): JsonObject {
  const isFields = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isFields ? (value as JsonObject) : {};
}
