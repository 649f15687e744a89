import { countOf, renderCount } from './count-text.js';
import { againText } from './repeats-text.js';

/** A reason why a run is not judged: figures are over results of several systems, or graders. */
export interface MixedText {
  /** `29 of 100 results ran again with newer code, params or files`. */
  readonly text: string;
  /** What to do: `run all, or assay run …`. */
  readonly mend: string;
}

/** Why the figures of a run are not those of one system with one kind of graders; none if they are. */
export function mixedTexts(
  {
    repeats,
    mixed,
    totals,
  }: {
    readonly repeats?:
      | (Parameters<typeof againText>[0] & { readonly other_code?: number })
      | undefined;
    readonly mixed?:
      | { readonly other_code?: number; readonly former_grades?: number; readonly gone?: number }
      | undefined;
    readonly totals: { readonly total_evaluations: number; readonly total_pruned?: number };
  },
  runId: string,
): MixedText[] {
  const all = countOf(totals.total_evaluations - (totals.total_pruned ?? 0), 'result');
  const changed = `run all, or assay run --rerun ${runId} --only changed`;
  const { other_code: again } = repeats ?? {};
  const { other_code: other, former_grades: former, gone } = mixed ?? {};
  const keep = former === 1 ? 'keeps its former grade' : 'keep their former grades';
  return [
    ...(repeats === undefined || again === undefined
      ? []
      : [
          {
            text: `${renderCount(again)} of ${all} ${againText(repeats)} with newer code, params or files`,
            mend: changed,
          },
        ]),
    ...(other === undefined
      ? []
      : [
          {
            text: `${renderCount(other)} of ${all} ran with other code, params or files than the results before them`,
            mend: changed,
          },
        ]),
    ...(gone === undefined
      ? []
      : [
          {
            text: `${renderCount(gone)} of ${all} ${gone === 1 ? 'is' : 'are'} of evaluations that are gone, while others ran again`,
            mend: `run all, or assay run --rerun ${runId} --only changed --prune`,
          },
        ]),
    ...(former === undefined
      ? []
      : [
          {
            text: `${renderCount(former)} of ${all} ${keep}, which could not be renewed`,
            mend: `run again, or assay run --regrade ${runId} --regrade-inexact`,
          },
        ]),
  ];
}
