import type { ChalkInstance } from 'chalk';
import { hasReplayedLatency } from '../../model/calls/usage.js';
import {
  caseIdOf,
  type Json,
  type Result,
  type ResultEntry,
  type RowFacts,
} from '../../model/result.js';
import type { Score } from '../../model/scores/score.js';
import { valueText } from '../../model/scores/score-rule.js';
import { type Standing, standingOf } from '../../model/scores/verdict.js';
import { renderLatency } from '../../text/duration-text.js';
import { renderNumber } from '../../text/number-text.js';
import type { Cell } from '../terminal/table.js';
import { escapeTerminal } from '../terminal/terminal-text.js';
import { errorHeading } from './evaluation-error.js';
import { mostInShortTable, mostShown } from './report-options.js';

// A combining mark at the start would attach to the text before the cell.
const loneMark = /^[\p{Mn}\p{Me}]/u;

/** The state of a result, in the words of the terminal. */
const shown = {
  passed: 'passed',
  failed: 'failed',
  error: 'error',
  no_verdict: 'no verdict',
  cancelled: 'cancelled',
  not_started: 'not finished',
  pending: 'not finished',
  running: 'not finished',
  pruned: 'pruned',
} as const satisfies { readonly [standing in Standing]: string };
export type ShownStanding = (typeof shown)[Standing];

const marks: { readonly [standing in ShownStanding]: string } = {
  passed: '✓',
  failed: '✗',
  error: '!',
  'no verdict': '–',
  cancelled: '·',
  'not finished': '·',
  pruned: '·',
};

export function shownStandingOf(row: Parameters<typeof standingOf>[0]): ShownStanding {
  return shown[standingOf(row)];
}

/** What results of a run are called where they are printed: name and trial, and the file where several files have the name. */
export function namesIn(
  rows: readonly RowFacts[],
): (row: Pick<RowFacts, 'id' | 'function' | 'trial' | 'trial_of'>) => string {
  const cases = new Map<string, string | undefined>();
  for (const row of rows) {
    const id = caseIdOf(row);
    const isShared = cases.has(row.function) && cases.get(row.function) !== id;
    cases.set(row.function, isShared ? undefined : id);
  }
  return (row) => {
    if (cases.get(row.function) !== caseIdOf(row)) return row.id;
    return row.trial === undefined ? row.function : `${row.function}~${row.trial}`;
  };
}

/** The colour of a mark, which adds no information. */
export function paintOf(standing: ShownStanding, colours: ChalkInstance): (text: string) => string {
  if (standing === 'passed') return colours.green;
  return standing === 'failed' || standing === 'error' ? colours.red : colours.dim;
}

/** Mark and name of an evaluation in the colour of its state. */
export function nameCell(standing: ShownStanding, name: string, colours: ChalkInstance): Cell {
  return { text: `${marks[standing]} ${escapeTerminal(name)}`, paint: paintOf(standing, colours) };
}

/** Seconds, unless they are those of recordings; empty for none. */
export function latencyText(result: Result): string {
  if (hasReplayedLatency(result)) return 'replayed';
  return result.latency === null ? '' : renderLatency(result.latency);
}

/** The cells of a row: scores, latency, input, output, reference. None is much longer than `columns`. */
export function resultCells(entry: ResultEntry, columns: number, colours: ChalkInstance): Cell[] {
  const { result } = entry;
  const standing = shownStandingOf({ ...result, pruned: entry.pruned });
  return [
    { text: scoreText(result.scores, columns), paint: paintOf(standing, colours) },
    { text: latencyText(result), paint: colours.dim },
    { text: previewJson(result.input, columns) },
    outcomeCell(entry, standing, columns, colours),
    { text: result.reference === null ? '' : previewJson(result.reference, columns) },
  ];
}

function outcomeCell(
  { result }: ResultEntry,
  standing: ShownStanding,
  columns: number,
  colours: ChalkInstance,
): Cell {
  if (standing === 'error') {
    return { text: preview(errorHeading(result.error ?? ''), columns), paint: colours.red };
  }
  if (standing === 'cancelled' || standing === 'not finished') {
    return { text: standing, paint: colours.dim };
  }
  return { text: previewJson(result.output, columns) };
}

/** Scores of a row, failed ones first; a single one needs no mark, because the row has it. */
function scoreText(scores: readonly Score[], columns: number): string {
  const isAlone = scores.length === 1;
  const failed = scores.filter((score) => score.passed === false);
  const others = scores.filter((score) => score.passed !== false);
  const texts = [...failed, ...others].slice(0, columns).map((score) => {
    const value =
      score.value === undefined ? '' : ` ${valueText(score.value, score, renderNumber)}`;
    const mark = isAlone || score.passed === undefined ? '' : score.passed ? '✓ ' : '✗ ';
    return `${mark}${preview(score.key, columns)}${value}`;
  });
  return texts.join(', ');
}

/** The beginning of a value as one line of JSON. */
function previewJson(value: Json, columns: number): string {
  const short = typeof value === 'string' ? beginning(value, columns) : value;
  return preview(JSON.stringify(short), columns);
}

/** The beginning of a text as one escaped line; cutting first keeps large values cheap. */
function preview(text: string, columns: number): string {
  return escapeTerminal(beginning(text, columns)).replace(loneMark, '◌$&');
}

function beginning(text: string, columns: number): string {
  // A character of one column may consist of many code units; this many certainly fill the width.
  const units = columns * 10;
  return text.length <= units ? text : `${text.slice(0, units).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The shown rows of a table, and the numbers of others. */
export interface ShownRows<T> {
  readonly shown: readonly T[];
  /** The number of errors and failures that are not shown. */
  readonly moreErrors: number;
  readonly moreFailed: number;
}

/** Selects all rows of a short table; of a long one, some errors and some failures. */
export function selectShown<T>(
  items: readonly T[],
  shownStandingOf: (item: T) => ShownStanding,
): ShownRows<T> {
  if (items.length <= mostInShortTable) return { shown: items, moreErrors: 0, moreFailed: 0 };
  const errors: T[] = [];
  const failed: T[] = [];
  for (const item of items) {
    const standing = shownStandingOf(item);
    if (standing === 'error') errors.push(item);
    else if (standing === 'failed') failed.push(item);
  }
  // Half of the room is reserved for each kind.
  const shownErrors = errors.slice(0, Math.max(mostShown / 2, mostShown - failed.length));
  const shownFailed = failed.slice(0, mostShown - shownErrors.length);
  return {
    shown: [...shownErrors, ...shownFailed],
    moreErrors: errors.length - shownErrors.length,
    moreFailed: failed.length - shownFailed.length,
  };
}
