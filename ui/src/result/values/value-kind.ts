import { imageUrl } from '../../../../src/model/calls/message-parts.js';
import { count, counted } from '../../components/figures/figures.js';
import { type Message, readMessages } from '../conversation/read-messages.js';
import { linesOf } from './text-lines.js';
import { countLines } from './tree-shape.js';

/** A value, classified for display. */
export type Seen =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'image'; readonly url: string }
  | {
      readonly kind: 'conversation';
      /** As drawn: a message may be several, and one with an answer is part of the call. */
      readonly messages: readonly Message[];
      /** The number of messages in the value. */
      readonly count: number;
    }
  | { readonly kind: 'markdown' | 'text'; readonly text: string }
  | { readonly kind: 'tree'; readonly value: object; readonly isText: boolean }
  | { readonly kind: 'word'; readonly text: string };

/** Maximum length of a text that is parsed for classification, in characters. */
const maxDetected = 200_000;

/** Classifies a value for display. */
export function seen(value: unknown): Seen {
  if (value === null || value === undefined) return { kind: 'nothing' };
  if (typeof value === 'string') return seenText(value);
  if (typeof value !== 'object') return { kind: 'word', text: String(value) };
  const messages = readMessages(value);
  if (messages && Array.isArray(value)) {
    return { kind: 'conversation', messages, count: value.length };
  }
  return { kind: 'tree', value, isText: false };
}

/** The kind of a value in a few words: `object, 4 keys`, `Markdown`. */
export function describeSeen(found: Seen): string {
  switch (found.kind) {
    case 'nothing':
      return 'none';
    case 'conversation':
      return counted(found.count, 'message');
    case 'markdown':
      return `Markdown${lengthText(found.text)}`;
    case 'text':
      return `text${lengthText(found.text)}`;
    case 'tree':
      return `${sizeText(found.value)}${found.isText ? ', as text' : ''}`;
    case 'word':
      return found.text === 'true' || found.text === 'false' ? 'boolean' : 'number';
    default:
      return found.kind;
  }
}

/** Texts with fewer words are seen at once. */
const manyWords = 60;

/** `, 612 words` for a long text. */
function lengthText(text: string): string {
  const words = text.match(/\S+/g)?.length ?? 0;
  return words < manyWords ? '' : `, ${count(words)} words`;
}

/** The size of an object or a list. */
function sizeText(value: object): string {
  if (Array.isArray(value))
    return value.length === 1 ? 'list, 1 item' : `list, ${value.length} items`;
  const { length } = Object.keys(value);
  return length === 1 ? 'object, 1 key' : `object, ${length} keys`;
}

/** A value with more lines is long. */
const fewLines = 12;

/** True for a value that takes a few lines. */
export function isShortValue(found: Seen): boolean {
  switch (found.kind) {
    case 'tree':
      return countLines(found.value, fewLines) <= fewLines;
    case 'markdown':
    case 'text':
      return linesOf(found.text) <= fewLines;
    case 'conversation':
      return found.messages.length <= fewLines / 2;
    default:
      return true;
  }
}

/** A value as text: a string unchanged, anything else as JSON. */
export function rawText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
}

function seenText(text: string): Seen {
  const url = imageUrl(text);
  if (url !== undefined) return { kind: 'image', url };
  const value = jsonIn(text);
  if (value !== undefined) return { kind: 'tree', value, isText: true };
  return { kind: isMarkdown(text) ? 'markdown' : 'text', text };
}

/** The object or list that a text is the JSON of. */
export function jsonIn(text: string): object | undefined {
  if (text.length > maxDetected || !/^\s*[[{][\s\S]*[\]}]\s*$/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

const markdownSigns: readonly RegExp[] = [
  /^#{1,6} \S/m,
  /^ {0,3}(?:```|~~~)/m,
  /^ {0,3}(?:[-*+]|\d{1,3}[.)]) +\S.*\n(?:.*\n)*? {0,3}(?:[-*+]|\d{1,3}[.)]) +\S/m,
  /^\|.*\|\s*\n\|[ :|-]+\|/m,
  /(?:^|[\s(])\*\*[^\s*][^*\n]*\*\*/m,
  /(?:^|[\s(])`[^`\s][^`\n]*`/m,
  /\[[^\]\n]+\]\([^)\s]+\)/,
  /^> \S/m,
];

/** True when a text looks like Markdown. */
export function isMarkdown(text: string): boolean {
  const start = text.slice(0, 20_000);
  return markdownSigns.some((sign) => sign.test(start));
}
