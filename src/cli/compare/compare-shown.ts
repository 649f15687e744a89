import { type ComparedKind, choosePairs } from '../../compare/cases/choose-pairs.js';
import type { CasePair } from '../../compare/cases/pair-cases.js';
import type { AgainstBase, ComparedRuns } from '../../compare/compare-runs.js';
import type { ComparedRow, ComparedRun } from '../../compare/compared-run.js';
import { isFinished, passes, type ResultEntry, type RowFacts } from '../../model/result.js';
import { shortDiff } from '../../text/short-diff.js';
import type { DiffPart } from '../../text/word-diff.js';
import { errorHeading } from '../report/evaluation-error.js';

/** The shown cases, and the number of others. */
export interface ShownPairs {
  readonly details: readonly DetailedPair[];
  readonly left: ReadonlyMap<ComparedKind, number>;
}

/** Selects the cases to show individually. */
export interface ShownOptions {
  /** Per run. */
  readonly limit: number;
  readonly only?: readonly ComparedKind[] | undefined;
  /** Page width; the outputs of each case take about two lines. */
  readonly columns: number;
}

/** Chooses the most important cases, and reads only their outputs. */
export async function readShown(
  { base, others }: ComparedRuns,
  { limit, only, columns }: ShownOptions,
): Promise<Map<AgainstBase, ShownPairs>> {
  const shown = new Map<AgainstBase, ShownPairs>();
  for (const other of others) {
    const chosen = choosePairs(other, { only, limit });
    const details = await readDetails(chosen.shown, base.run, other.run, columns * 2);
    shown.set(other, { details, left: chosen.left });
  }
  return shown;
}

/** A case of a comparison with its outputs. */
export interface DetailedPair {
  readonly pair: CasePair;
  /** The difference of both outputs, or the only output; `null` if there is none. */
  readonly diff: readonly DiffPart[] | null;
}

// A value may be megabytes long, but only a little of it is shown.
const longestText = 200_000;

/** Reads the outputs of pairs: for each side, one trial that shows the change of the case. */
async function readDetails(
  pairs: readonly CasePair[],
  base: ComparedRun,
  other: ComparedRun,
  room: number,
): Promise<DetailedPair[]> {
  const ids = new Set(pairs.map(({ id }) => id));
  const baseRows = base.rowsOf(ids);
  const otherRows = other.rowsOf(ids);
  const detailed: DetailedPair[] = [];
  for (const pair of pairs) {
    const finished = (baseRows.get(pair.id) ?? []).filter(({ row }) => isFinished(row));
    const finishedNow = (otherRows.get(pair.id) ?? []).filter(({ row }) => isFinished(row));
    const isBefore = wantedOf(pair, 'base');
    const isAfter = wantedOf(pair, 'other');
    const before = await textOf(base, pick(finished, finishedNow, isBefore));
    const after = await textOf(other, pick(finishedNow, finished, isAfter));
    detailed.push({ pair, diff: diffOf(before, after, room) });
  }
  return detailed;
}

function diffOf(before: string | null, after: string | null, room: number): DiffPart[] | null {
  if (before !== null && after !== null) return shortDiff(before, after, room);
  const only = before ?? after;
  return only === null ? null : shortDiff(only, only, room);
}

function wantedOf({ change }: CasePair, side: 'base' | 'other'): (row: RowFacts) => boolean {
  if (change === 'regressed') return (row) => passes(row) === (side === 'base');
  if (change === 'fixed') return (row) => passes(row) === (side === 'other');
  return () => true;
}

/** Prefers a row that shows the change and has an output. */
function pick(
  rows: readonly ComparedRow[],
  others: readonly ComparedRow[],
  isWanted: (row: RowFacts) => boolean,
): ComparedRow | undefined {
  const known = new Set(others.map(({ row }) => row.outputHash));
  const wanted = rows.filter(({ row }) => isWanted(row));
  return wanted.find(({ row }) => !known.has(row.outputHash)) ?? wanted[0] ?? rows[0];
}

async function textOf(run: ComparedRun, found: ComparedRow | undefined): Promise<string | null> {
  return found === undefined ? null : outputText(await run.read(found.index));
}

function outputText({ result }: ResultEntry): string | null {
  if (result.status === 'error') return `error: ${errorHeading(result.error ?? '')}`;
  const { output } = result;
  if (output === null) return null;
  return (typeof output === 'string' ? output : JSON.stringify(output)).slice(0, longestText);
}
