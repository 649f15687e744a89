import type { RunSummary, ScoreChip } from '../../api/schema.js';
import { typicalValue } from '../../components/figures/figures.js';

/** The scores of the last runs by key, the oldest run first. */
export type ScoreHistory = readonly ReadonlyMap<string, ScoreChip>[];

/** The scores of a run and of the runs before it, each of which is compared with the next. */
export function historyOf(
  runs: readonly RunSummary[],
  runId: string,
  maxRuns: number,
): ScoreHistory {
  const byId = new Map(runs.map((run) => [run.run_id, run]));
  const before: RunSummary[] = [];
  for (
    let run = byId.get(runId);
    run !== undefined && before.length < maxRuns;
    run = byId.get(run.previous?.run_id ?? '')
  ) {
    if (run.score_chips.length > 0 || run.run_id === runId) before.push(run);
  }
  return before.reverse().map(({ score_chips, counted_chips: chips = score_chips }) => {
    return new Map(chips.map((chip) => [chip.key, chip]));
  });
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
