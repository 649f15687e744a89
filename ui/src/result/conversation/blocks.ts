import { linesOf, mostLines } from '../values/text-lines.js';
import { rawText } from '../values/value-kind.js';
import { fieldsOf } from './fields.js';
import type { CallPart, Message, Part } from './message.js';

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

function heightOf(part: Part): number {
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
