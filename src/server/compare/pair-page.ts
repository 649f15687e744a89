import type { Change, ChangeCounts } from '../../compare/cases/change.js';
import { isFinished, passes, type RowFacts } from '../../model/result.js';
import { standingOf } from '../../model/scores/verdict.js';
import { type LightRow, lightRowsOf } from '../rows/light-row.js';
import type { CurrentTable } from '../rows/row-table-cache.js';
import { type Fold, toFold } from '../rows/trial-groups.js';
import type { FoundPairs } from './pair-cache.js';
import type { PairFacets } from './pair-facets.js';
import { type RunAsCompared, toHead } from './run-comparison.js';
import type { RunAtMoment } from './run-moment.js';

/** A case in one of the compared runs, as JSON. */
export interface PairSide {
  /** The change from the base; `null` in the base, and if neither run has the case. */
  readonly change: Change | null;
  /** Keys of the scores that differ from the base; empty in the base, and if one of them does not have the case. */
  readonly moved_scores: readonly string[];
  /** Its outputs are known to be those of the base; with trials, the set of distinct outputs is. */
  readonly same_output: boolean;
  /** Indices of its rows; empty if the run does not have the case. */
  readonly indices: readonly number[];
  /**
   * Its row; with trials, the most relevant one (the same in all runs), with `fold`. `null` if the run does not have the
   * case.
   */
  readonly row: (LightRow & { readonly fold?: Fold }) | null;
}

/** A case in all compared runs, as JSON. */
export interface Pair {
  /** Without the trial. */
  readonly id: string;
  readonly function: string;
  readonly dataset: string;
  /** In the order of the runs. */
  readonly runs: readonly PairSide[];
}

/** A page of pairs, as JSON. */
export interface PairPage {
  /** In the order of the request, the base first. */
  readonly runs: readonly RunAsCompared[];
  /** The number of all pairs. */
  readonly total: number;
  /** The number of matching pairs. */
  readonly filtered: number;
  readonly offset: number;
  /** For each run, over the pairs that match all filters except the one by change; `null` for the base. */
  readonly changes: readonly (ChangeCounts | null)[];
  readonly facets: PairFacets;
  readonly pairs: readonly Pair[];
}

/** Reads the rows of a page of pairs. */
export async function readPairPage(
  currents: readonly RunAtMoment[],
  { table, pairs, changes, facets }: FoundPairs,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<PairPage> {
  const shown = Array.from(pairs.slice(offset, offset + limit));
  const indices = currents.map((_, run) =>
    shown.map((pair) => Array.from(table.rowsOf(pair, run))),
  );
  const places = shown.map((pair, at) =>
    decisiveTrial(
      currents.map((current, run) => ({
        rows: indices[run]?.[at]?.flatMap((index) => current.table.rows[index] ?? []) ?? [],
        change: table.change(pair, run),
      })),
    ),
  );
  const sides = await Promise.all(
    currents.map((current, run) =>
      readSides(
        current,
        shown.map((pair, at) => {
          const own = indices[run]?.[at] ?? [];
          const place = places[at] ?? 0;
          return {
            change: table.change(pair, run),
            moved_scores: table.movedScores(pair, run),
            same_output: table.hasSameOutput(pair, run),
            indices: own,
            shown: own[place] ?? own[0],
          };
        }),
      ),
    ),
  );
  return {
    runs: currents.map(({ run }) => toHead(run)),
    total: table.length,
    filtered: pairs.length,
    offset,
    changes,
    facets,
    pairs: shown.map((pair, place) => {
      const { id, function: name, dataset } = table.anyCase(pair);
      return { id, function: name, dataset, runs: sides.flatMap((side) => side[place] ?? []) };
    }),
  };
}

/** The sides of pairs in one run, in order. `shown`: the index of the row to read. */
async function readSides(
  { table, source }: CurrentTable,
  pairs: readonly (Omit<PairSide, 'row'> & { readonly shown: number | undefined })[],
): Promise<PairSide[]> {
  const wanted = pairs.flatMap(({ shown }) => shown ?? []);
  const lightRows = new Map(
    (await lightRowsOf(source, wanted)).map((row) => [row.index, row] as const),
  );
  return pairs.map(({ shown, ...side }) => {
    const row = lightRows.get(shown ?? -1);
    const group = row?.trial_of === undefined ? undefined : table.groups.get(row.trial_of);
    const fold = group === undefined ? {} : { fold: toFold(table, group) };
    return { ...side, row: row === undefined ? null : { ...row, ...fold } };
  });
}

/** The trials of a case in one run, and the change of the case. */
interface ComparedTrials {
  readonly rows: readonly RowFacts[];
  readonly change: Change | null;
}

/**
 * The position of the trial that explains the change of a case best; the first run is the base. It is the first trial
 * that regressed or was fixed like the case in any run, else the first with another verdict or output than in the base,
 * else 0.
 */
function decisiveTrial([base, ...others]: readonly ComparedTrials[]): number {
  let decisive = 0;
  let most = 0;
  for (const [place, before] of base?.rows.entries() ?? []) {
    for (const { rows, change } of others) {
      const after = rows[place];
      const weight = after === undefined ? 0 : weightOf(before, after, change);
      if (weight <= most) continue;
      most = weight;
      decisive = place;
    }
  }
  return decisive;
}

function weightOf(before: RowFacts, after: RowFacts, change: Change | null): number {
  if (!isFinished(before) || !isFinished(after)) return 0;
  const gain = Number(passes(after)) - Number(passes(before));
  if (change === 'regressed' && gain < 0) return 4;
  if (change === 'fixed' && gain > 0) return 3;
  if (standingOf(before) !== standingOf(after)) return 2;
  return before.outputHash === after.outputHash ? 0 : 1;
}
