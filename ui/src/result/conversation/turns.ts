import { rawText } from '../values/value-kind.js';
import { visibleText } from '../values/visible-text.js';
import { type Block, callsOf, hasFailed } from './blocks.js';
import { isFromUser, type Message } from './message.js';

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
