import type { ResultEntry } from '../result.js';

/** Why one result failed: a score, or an error. */
export interface FailureCause {
  /**
   * Names the reason: the key of the score, empty for errors, with `\` before `\` and `=`; `=`; the text with `#` in
   * place of numbers and ids, and `"…"` in place of quoted words.
   */
  readonly reason: string;
  /** The key of the score; `null` for errors. */
  readonly key: string | null;
  /** The first line of the note or error; empty for scores without notes. */
  readonly text: string;
}

/** Failures that have one reason: the same score failed with notes, or an error was thrown with a text, that differ only in details. */
export interface FailureReason extends FailureCause {
  /** False if the texts of others have other numbers, ids or quoted words than `text`, which is that of the first. */
  readonly same: boolean;
  /** A result with several failed scores counts for each of them. */
  readonly results: number;
  /** Indices of the results, in order. */
  readonly indices: readonly number[];
}

/** Why a result failed: its error, or each score that failed. */
export function failureCauses({
  result,
  pruned,
}: Pick<ResultEntry, 'result' | 'pruned'>): readonly FailureCause[] {
  if (pruned === true) return [];
  if (result.status === 'error') return [causeOf(null, result.error)];
  if (result.status !== 'completed') return [];
  return result.scores
    .filter(({ passed }) => passed === false)
    .map(({ key, notes }) => causeOf(key, notes));
}

type Counted = { -readonly [K in keyof FailureReason]: FailureReason[K] } & { indices: number[] };

/** Groups failures by their reasons, one result after the other. */
export class FailureReasons {
  readonly #reasons = new Map<string, Counted>();

  add(index: number, causes: readonly FailureCause[]): void {
    for (const cause of causes) this.#count(index, cause);
  }

  /** The largest first; equal ones in the order of their first results. */
  list(): readonly FailureReason[] {
    return [...this.#reasons.values()].sort((a, b) => b.results - a.results);
  }

  #count(index: number, cause: FailureCause): void {
    const known = this.#reasons.get(cause.reason);
    if (known === undefined) {
      this.#reasons.set(cause.reason, { ...cause, same: true, results: 1, indices: [index] });
      return;
    }
    known.same &&= known.text === cause.text;
    if (known.indices.at(-1) === index) return;
    known.results += 1;
    known.indices.push(index);
  }
}

/** Longest text that is compared, in characters. */
const longest = 500;

function causeOf(key: string | null, given: string | null | undefined): FailureCause {
  const [line = ''] = (given ?? '').trim().split('\n', 1);
  const text = line.slice(0, longest).trimEnd();
  const name = (key ?? '').replace(/[\\=]/g, '\\$&');
  return { reason: `${name}=${withoutDetails(text)}`, key, text };
}

/** A text with a sign in place of quoted words, ids and numbers. */
function withoutDetails(text: string): string {
  return text
    .replace(/"(?:[^"\\]|\\.)*"|`[^`]*`|“[^”]*”|«[^»]*»|(?<!\p{L})'[^']*'(?!\p{L})/gu, '"…"')
    .replace(/(?<![\p{L}\d])(?=[\da-f-]*\d)[\da-f]{8,}(?:-[\da-f]+)*(?![\p{L}\d])/giu, '#')
    .replace(/[+-]?\d+(?:[.,:_]\d+)*/g, '#')
    .replace(/\s+/g, ' ');
}
