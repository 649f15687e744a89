import type { Change } from '../../../../src/compare/cases/change.js';
import type { Pair, RunComparison, TableRow } from '../../api/schema.js';
import type { CaseStanding } from '../../components/scores/standing.js';
import { standingOf } from '../../components/scores/standing.js';
import { letterOf, lettersOf } from '../letters.js';

/** A case in one of the runs. */
export type SideOfPair = Pair['runs'][number];

/** The change of a pair, in a few words. */
export interface VerdictTag {
  readonly kind: 'regressed' | 'fixed' | 'changed' | 'only' | 'same';
  readonly text: string;
  /** The scores that differ from the base, for a change that is not in the verdict. */
  readonly moved?: string;
}

/** The tags of a pair: which runs have it, and what changed in which runs. */
export function verdictTags({ runs }: Pair): readonly VerdictTag[] {
  const present = runs.flatMap(({ row }, run) => (row === null ? [] : [run]));
  const absent = runs.flatMap(({ row }, run) => (row === null ? [run] : []));
  const tags: VerdictTag[] = [];
  const isLonely = present.length === 1 || absent.includes(0);
  if (absent.length > 0) {
    const text = isLonely ? `only in ${lettersOf(present)}` : `not in ${lettersOf(absent)}`;
    tags.push({ kind: 'only', text });
  }
  const where = (change: Change) =>
    runs.flatMap((side, run) => (side.change === change ? [run] : []));
  const letters = (positions: readonly number[]) =>
    runs.length === 2 ? '' : ` in ${lettersOf(positions)}`;
  for (const kind of ['regressed', 'fixed', 'changed'] as const) {
    const positions = where(kind);
    if (positions.length === 0) continue;
    // What regressed or was fixed has its marks at the scores.
    const moved = kind === 'changed' ? movedText(runs, positions) : undefined;
    tags.push({ kind, text: `${kind}${letters(positions)}`, ...(moved && { moved }) });
  }
  const open = where('not_paired');
  if (open.length > 0) tags.push({ kind: 'only', text: openText(runs, open) });
  return tags.length > 0 ? tags : [{ kind: 'same', text: 'same' }];
}

const mostMoved = 2;

/** The scores that differ from the base in any of these runs: `quality, tone and 1 more`; `undefined` for none. */
function movedText(runs: readonly SideOfPair[], positions: readonly number[]): string | undefined {
  const keys = [...new Set(positions.flatMap((run) => runs[run]?.moved_scores ?? []))];
  if (keys.length === 0) return undefined;
  const more = keys.length > mostMoved ? ` and ${keys.length - mostMoved} more` : '';
  return `${keys.slice(0, mostMoved).join(', ')}${more}`;
}

function openText(runs: readonly SideOfPair[], positions: readonly number[]): string {
  const unfinished = [0, ...positions].filter((run) => !hasFinished(runs[run]?.row ?? null));
  return `not finished in ${lettersOf(unfinished.length > 0 ? unfinished : positions)}`;
}

/** True when the result of a row, or one of its trials, has finished. */
export function hasFinished(row: TableRow | null): boolean {
  if (row === null) return false;
  if (row.fold) return row.fold.finished > 0;
  return row.status === 'completed' || row.status === 'error';
}

/** The status of a side: of its result, or of all its trials. */
export function sideStanding({ fold, status, passed }: TableRow): CaseStanding {
  return fold === undefined ? standingOf(status, passed) : trialsStanding(fold);
}

/** The status of all trials of a case together. */
export function trialsStanding({
  flaky,
  standings,
}: Pick<NonNullable<TableRow['fold']>, 'flaky' | 'standings'>): CaseStanding {
  if (flaky) return 'flaky';
  const found = (['running', 'failed', 'error', 'passed'] as const).find((standing) =>
    standings.includes(standing),
  );
  return found ?? standings[0] ?? 'no_verdict';
}

/** The shown trial of a side, `trial 3`; `undefined` if there is only one. */
export function trialText({ fold, trial }: TableRow): string | undefined {
  return fold === undefined || trial === undefined ? undefined : `trial ${trial}`;
}

/** The base output to compare a side with: only the same trial. */
export function alikeBase(base: TableRow | null, { trial }: TableRow): TableRow | null {
  return base?.trial === trial ? base : null;
}

/** The note that replaces the output of a side; `undefined` when the output is shown. */
export function outputNote(
  base: TableRow | null,
  { row, same_output }: SideOfPair,
): string | undefined {
  if (row === null || row.error !== null) return undefined;
  if (base === null || base.error !== null || base === row) return undefined;
  if (base.output === null || row.output === null) return undefined;
  const isCut = row.cut.includes('output') || base.cut.includes('output');
  const isAlike = row.output === base.output;
  // Trials that are equal as a set may be in another order.
  const isSame = row.fold ? isAlike && (!isCut || same_output) : same_output;
  return isSame || (isAlike && !isCut) ? `same output as ${letterOf(0)}` : undefined;
}

/** True when a latency differs from the base enough to be highlighted. */
export function isNotable(base: number, difference: number): boolean {
  return Math.abs(difference) >= 0.25 && Math.abs(difference) >= 0.2 * base;
}

/** The run that a reader opens first: one with a change. */
export function firstSide({ runs }: Pair): number {
  const changed = runs.findIndex(
    ({ change, row }) => row !== null && change !== null && change !== 'same',
  );
  return changed >= 0 ? changed : runs.findLastIndex(({ row }) => row !== null);
}

/** Ids of the cases that are worse beyond chance on their own, which requires trials. */
export function worseUnits(comparison: RunComparison | undefined): ReadonlySet<string> {
  const ids = comparison?.comparisons.flatMap(({ gates }) =>
    gates.regression.worse_units.flatMap(({ id, beyond_chance }) => (beyond_chance ? [id] : [])),
  );
  return new Set(ids);
}
