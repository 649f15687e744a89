import { readParts, type Said } from '../../model/calls/message-parts.js';
import { isConversation } from '../../model/conversation.js';
import { isObject } from '../../model/json.js';
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

/** What a message says, thinks, calls and answers, a part after the other. */
function textsOf(message: JsonObject): string[] {
  // Such messages say by their role that they are answers.
  const isAnswer = message.role === 'tool' || message.role === 'function';
  return readParts(message).flatMap((part) =>
    isAnswer && part.kind === 'answer' ? plainText(part.answer) : partTexts(part),
  );
}

function partTexts(part: Said): string[] {
  switch (part.kind) {
    case 'text':
      return part.text === '' ? [] : [part.text];
    case 'thinking':
      if (part.text !== '') return [`(thinks) ${part.text}`];
      return [part.isEncrypted ? '(thinks, encrypted)' : '(thinks, not shown)'];
    case 'image':
      return ['[image]'];
    case 'sources':
      return part.sources.map(({ title, url }) => `[source ${title ?? url ?? ''}]`);
    case 'call': {
      const given = part.given ?? undefined;
      const call = given === undefined ? `→ ${part.name}` : `→ ${part.name} ${plainText(given)}`;
      return part.answer === undefined ? [call] : [call, `← ${plainText(part.answer)}`];
    }
    case 'answer':
      return [`← ${plainText(part.answer)}`];
    case 'value': {
      const type = isObject(part.value) ? String(part.value.type) : '';
      return [/image|audio|file/.test(type) ? `[${type}]` : plainText(part.value)];
    }
  }
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
