import type { RunSummary, ScoreChip } from '../../api/schema.js';
import { withoutZero } from '../../components/figures.js';

/** The scores of the last runs by key, the oldest run first. */
export type ScoreHistory = readonly ReadonlyMap<string, ScoreChip>[];

/** The scores of a run and of those before it in its session. `runs`: newest first. */
export function historyOf(
  runs: readonly RunSummary[],
  runId: string,
  mostRuns: number,
): ScoreHistory {
  const at = runs.findIndex(({ run_id }) => run_id === runId);
  if (at < 0) return [];
  return runs
    .slice(at)
    .filter(({ score_chips, run_id }) => score_chips.length > 0 || run_id === runId)
    .slice(0, mostRuns)
    .reverse()
    .map(({ score_chips }) => new Map(score_chips.map((chip) => [chip.key, chip])));
}

/** The share or mean that a chip stands for. */
export function levelOf(chip: ScoreChip): number {
  return chip.type === 'ratio' ? chip.passed / Math.max(1, chip.total) : chip.avg;
}

/** How a score changed from one run to the next. */
export interface ScoreChange {
  /** `+2.4` points, or `+.018` of a mean. */
  readonly text: string;
  /** `better` and `worse` only where the change is beyond chance. */
  readonly verdict: 'better' | 'worse' | 'same';
}

/** How a score changed, or nothing when there is nothing to compare. */
export function changeOf(
  before: ScoreChip | undefined,
  now: ScoreChip | undefined,
): ScoreChange | undefined {
  if (before === undefined || now === undefined || before.type !== now.type) return undefined;
  const change = levelOf(now) - levelOf(before);
  if (now.type === 'avg' || before.type === 'avg') {
    return { text: withoutZero(signed(change, 3)), verdict: 'same' };
  }
  const [low, high] = differenceInterval(before, now);
  const verdict = low > 0 ? 'better' : high < 0 ? 'worse' : 'same';
  return { text: signed(change * 100, 1), verdict };
}

function signed(value: number, places: number): string {
  const text = Math.abs(value).toFixed(places);
  if (Number(text) === 0) return text;
  return `${value > 0 ? '+' : '−'}${text}`;
}

interface Ratio {
  readonly passed: number;
  readonly total: number;
}

/** 95 % interval of the difference of two shares: Newcombe's hybrid score method (1998, method 10). */
function differenceInterval(before: Ratio, now: Ratio): readonly [number, number] {
  const a = wilson(now);
  const b = wilson(before);
  const difference = a.share - b.share;
  return [
    difference - Math.hypot(a.share - a.low, b.high - b.share),
    difference + Math.hypot(a.high - a.share, b.share - b.low),
  ];
}

/** Wilson's score interval, 95 %. */
function wilson({ passed, total }: Ratio) {
  if (total === 0) return { share: 0, low: 0, high: 1 };
  const z = 1.959964;
  const share = passed / total;
  const middle = (share + (z * z) / (2 * total)) / (1 + (z * z) / total);
  const half =
    (z / (1 + (z * z) / total)) *
    Math.sqrt((share * (1 - share)) / total + (z * z) / (4 * total * total));
  return { share, low: middle - half, high: middle + half };
}
