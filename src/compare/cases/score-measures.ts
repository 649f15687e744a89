import { countOf, renderCount } from '../../text/count-text.js';
import { scoreName } from '../../text/score-name.js';

/** The verdicts (`ratio`) or values (`avg`) of a score, as one line of figures. */
export interface ScoreMeasure {
  readonly key: string;
  readonly type: 'ratio' | 'avg';
  /** See {@link measureNameOf}. */
  readonly name: string;
}

/** A figure of a score of a run. */
interface Figure {
  readonly key: string;
  readonly type: ScoreMeasure['type'];
}

/** The measures of the scores of runs, in order of first appearance; what stands for a score comes first. */
export function scoreMeasures(runs: readonly (readonly Figure[])[]): ScoreMeasure[] {
  const all = runs.flat();
  return [...new Set(all.map(({ key }) => key))].flatMap((key) => {
    const own = all.filter((figure) => figure.key === key);
    const hasGiven = runs.some((figures) => isGivenIn(figures, key));
    const types = (hasGiven ? ['ratio', 'avg'] : ['avg', 'ratio']) as ScoreMeasure['type'][];
    return types
      .filter((type) => own.some((figure) => figure.type === type))
      .map((type) => ({ key, type, name: measureNameOf(key, type, hasGiven) }));
  });
}

/** The figure that stands for a score is the first one of its key. */
function isGivenIn(figures: readonly Figure[], key: string): boolean {
  return figures.find((figure) => figure.key === key)?.type === 'ratio';
}

/**
 * The name of the verdicts (`ratio`) or values of a score. What stands for the score has its {@link scoreName}: its verdicts if an
 * evaluator gave any, else its values; the other one is `KEY (value)` or `KEY (passed)`.
 */
export function measureNameOf(
  key: string,
  type: 'ratio' | 'avg' | 'mixed',
  hasGiven: boolean,
): string {
  if (type === 'ratio') return hasGiven ? scoreName(key) : `${key} (passed)`;
  return type === 'avg' && hasGiven ? `${key} (value)` : scoreName(key);
}

/** Says that a part of the verdicts is of a threshold: `rating: 3 of 10 verdicts are of a threshold`. */
export function mixedVerdictsText(
  figures: readonly {
    readonly key: string;
    readonly total?: number;
    readonly derived?: number | undefined;
  }[],
): string[] {
  return figures.flatMap(({ key, total = 0, derived = 0 }) =>
    derived === 0 || derived === total
      ? []
      : [
          `${scoreName(key)}: ${renderCount(derived)} of ${countOf(total, 'verdict')} are of a threshold`,
        ],
  );
}

/** Says which values no gate judges: `gates judge rating, not rating (value)`. */
export function notJudgedText(
  scores: readonly { readonly key: string; readonly name: string; readonly gated: boolean }[],
): string | undefined {
  const beside = scores.filter(({ key, name, gated }) => !gated && name !== scoreName(key));
  if (beside.length === 0) return undefined;
  const names = (of: (score: (typeof beside)[number]) => string) => beside.map(of).join(', ');
  return `gates judge ${names(({ key }) => scoreName(key))}, not ${names(({ name }) => name)}`;
}
