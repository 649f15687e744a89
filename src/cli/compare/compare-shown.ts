import { type ComparedKind, choosePairs } from '../../compare/cases/choose-pairs.js';
import type { AgainstBase, ComparedRuns } from '../../compare/compare-runs.js';
import { type DetailedPair, readDetails } from './compare-outputs.js';

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
