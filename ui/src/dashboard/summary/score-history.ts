import type { RunSummary, ScoreChip } from '../../api/schema.js';
import { typicalValue } from '../../components/figures/figures.js';

/** The scores of the last runs by key, the oldest run first. */
export type ScoreHistory = readonly ReadonlyMap<string, ScoreChip>[];

/** The scores of a run and of the previous runs in its session. `runs`: newest first. */
export function historyOf(
  runs: readonly RunSummary[],
  runId: string,
  maxRuns: number,
): ScoreHistory {
  const at = runs.findIndex(({ run_id }) => run_id === runId);
  if (at < 0) return [];
  return runs
    .slice(at)
    .filter(({ score_chips, run_id }) => score_chips.length > 0 || run_id === runId)
    .slice(0, maxRuns)
    .reverse()
    .map(({ score_chips }) => new Map(score_chips.map((chip) => [chip.key, chip])));
}

/**
 * The value of a score in each run: share, mean, or p50 of unbounded values, like the newest; `undefined` for runs
 * that have another kind.
 */
export function levelsOf(chips: readonly (ScoreChip | undefined)[]): (number | undefined)[] {
  const newest = chips.findLast((chip) => chip !== undefined);
  return chips.map((chip) =>
    chip === undefined || kindOf(chip) !== kindOf(newest) ? undefined : levelOf(chip),
  );
}

function kindOf(chip: ScoreChip | undefined): string | undefined {
  return chip?.type === 'avg' && chip.percentiles !== undefined ? 'percentiles' : chip?.type;
}

function levelOf(chip: ScoreChip): number {
  return chip.type === 'ratio' ? chip.passed / Math.max(1, chip.total) : typicalValue(chip);
}
