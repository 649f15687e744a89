import type { ResultEntry } from '../result.js';

/** Failures that have one reason: the same score failed with notes, or an error was thrown with a text, that differ only in details. */
export interface FailureReason {
  /** The key of the score; `null` for errors. */
  readonly key: string | null;
  /** The note or error of the first one, its first line; empty for scores without notes. */
  readonly text: string;
  /** False if the texts of others have other numbers, ids or quoted words. */
  readonly same: boolean;
  /** A result with several failed scores counts for each of them. */
  readonly results: number;
  /** Indices of the results, in order. */
  readonly indices: readonly number[];
}

type Counted = { -readonly [K in keyof FailureReason]: FailureReason[K] } & { indices: number[] };

/** Groups failures by their reasons, one result after the other. */
export class FailureReasons {
  readonly #reasons = new Map<string, Counted>();

  add(index: number, { result, pruned }: Pick<ResultEntry, 'result' | 'pruned'>): void {
    if (pruned === true) return;
    if (result.status === 'error') this.#count(index, null, firstLine(result.error ?? ''));
    if (result.status !== 'completed') return;
    for (const { key, passed, notes } of result.scores) {
      if (passed === false) this.#count(index, key, firstLine(notes ?? ''));
    }
  }

  /** The largest first; equal ones in the order of their first results. */
  list(): readonly FailureReason[] {
    return [...this.#reasons.values()].sort((a, b) => b.results - a.results);
  }

  #count(index: number, key: string | null, text: string): void {
    const name = JSON.stringify([key, withoutDetails(text)]);
    const known = this.#reasons.get(name);
    if (known === undefined) {
      this.#reasons.set(name, { key, text, same: true, results: 1, indices: [index] });
      return;
    }
    known.same &&= known.text === text;
    if (known.indices.at(-1) === index) return;
    known.results += 1;
    known.indices.push(index);
  }
}

/** Longest text that is compared, in characters. */
const longest = 500;

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  return line.slice(0, longest).trimEnd();
}

/** A text with a sign in place of quoted words, ids and numbers. */
function withoutDetails(text: string): string {
  return text
    .replace(/"(?:[^"\\]|\\.)*"|`[^`]*`|“[^”]*”|«[^»]*»|(?<!\p{L})'[^']*'(?!\p{L})/gu, '"…"')
    .replace(/(?<![\p{L}\d])(?=[\da-f-]*\d)[\da-f]{8,}(?:-[\da-f]+)*(?![\p{L}\d])/giu, '#')
    .replace(/[+-]?\d+(?:[.,:_]\d+)*/g, '#')
    .replace(/\s+/g, ' ');
}
