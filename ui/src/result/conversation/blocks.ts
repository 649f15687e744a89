import {
  type CallPart,
  fieldsOf,
  type MessagePart,
} from '../../../../src/model/calls/message-parts.js';
import { linesOf, mostLines } from '../values/text-lines.js';
import { rawText } from '../values/value-kind.js';
import { visibleText } from '../values/visible-text.js';
import { isFromUser, type Message } from './read-messages.js';

/** A block of a conversation: a message, or several calls in a row. */
export interface Block {
  /** Position of its first message. */
  readonly from: number;
  readonly messages: readonly Message[];
}

/** Messages one by one; `withRuns`: calls in a row together. */
export function blocksOf(messages: readonly Message[], withRuns: boolean): readonly Block[] {
  const blocks: { from: number; messages: Message[] }[] = [];
  for (const [n, message] of messages.entries()) {
    const last = blocks.at(-1);
    if (withRuns && last?.messages[0] && isCall(last.messages[0]) && isCall(message)) {
      last.messages.push(message);
    } else blocks.push({ from: n, messages: [message] });
  }
  return blocks;
}

function isCall({ parts }: Message): boolean {
  return parts.length === 1 && parts[0]?.kind === 'call';
}

/** The calls of messages. */
export function callsOf(messages: readonly Message[]): readonly CallPart[] {
  return messages.flatMap(({ parts }) => parts.filter((part) => part.kind === 'call'));
}

/** Names of calls in order, each once with how often: `find, read ×3`. */
export function callNames(calls: readonly CallPart[]): string {
  const counts = new Map<string, number>();
  for (const { name } of calls) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, n]) => (n === 1 ? name : `${name} ×${n}`)).join(', ');
}

/** True when a tool answered with a failure. */
export function hasFailed({ answer, isFailed }: CallPart): boolean {
  const { ok, error, success } = fieldsOf(answer) ?? {};
  const hasError = error !== undefined && error !== null && error !== false && error !== '';
  return isFailed === true || ok === false || success === false || hasError;
}

/** About how high a block is before it is drawn, in pixels. */
export function estimatedHeight({ messages }: Block): number {
  const [message] = messages;
  if (messages.length > 1 || message === undefined) return 30;
  return 10 + message.parts.reduce((sum, part) => sum + heightOf(part), 0);
}

function heightOf(part: MessagePart): number {
  switch (part.kind) {
    case 'text':
    case 'thinking':
      return 21 * Math.min(mostLines + 1, linesOf(part.text));
    case 'image':
      return 200;
    case 'sources':
      return 20 * part.sources.length;
    case 'call':
      return 20 + (part.answer === undefined ? 0 : 20);
    case 'value':
      return 20 * Math.min(8, linesOf(rawText(part.value)));
  }
}

/** A message of the user, and what follows it until the next one. */
export interface Turn {
  /** Position of the block that it begins with. */
  readonly block: number;
  /** The first words of the user. */
  readonly words: string;
  /** Number of tools that answered with a failure. */
  readonly failed: number;
}

/** Maximum characters of the first words. */
const mostCharacters = 200;

/** The turns of a conversation. */
export function turnsOf(blocks: readonly Block[]): readonly Turn[] {
  const turns: { block: number; words: string; failed: number }[] = [];
  for (const [block, { messages }] of blocks.entries()) {
    const [first] = messages;
    if (first && isFromUser(first)) turns.push({ block, words: firstWords(first), failed: 0 });
    const turn = turns.at(-1);
    if (turn) turn.failed += callsOf(messages).filter(hasFailed).length;
  }
  return turns;
}

function firstWords({ parts: [part] }: Message): string {
  if (part?.kind === 'image') return 'Image';
  const text =
    part?.kind === 'text' ? part.text : rawText(part?.kind === 'value' ? part.value : '');
  const words = text.trimStart().slice(0, mostCharacters).replace(/\s+/g, ' ');
  return words === '' ? 'No words' : visibleText(words);
}

/** The attributes of the element where a turn begins, from which the outline reads it. */
export function turnMark(turn: Turn | undefined) {
  return turn && { 'data-turn': turn.words, 'data-failed': turn.failed };
}
