import { codeVersionsText } from '../model/summary/code-versions.js';
import { alikeTrialsText } from '../text/chance-text.js';
import { countOf } from '../text/count-text.js';
import { driftNotes } from '../text/judge-drift-text.js';
import { repeatedText } from '../text/repeats-text.js';
import { scaleHint } from '../text/scale-hint.js';
import { type CaseFigures, figuresOf } from './cases/case-figures.js';
import { type Comparison, compareCases } from './compare-cases.js';
import type { ComparedRun } from './compared-run.js';
import { judgeRegression, type RegressionVerdict } from './gates/judge-regression.js';

/** One run of a comparison, with its own figures. */
export interface FiguredRun {
  readonly run: ComparedRun;
  /** The run name, preceded by the id if two runs have the same name. */
  readonly label: string;
  readonly figures: CaseFigures;
}

export interface AgainstBase extends FiguredRun {
  readonly comparison: Comparison;
  readonly regression: RegressionVerdict;
}

/** Several runs compared with the first of them. */
export interface ComparedRuns {
  readonly base: FiguredRun;
  readonly others: readonly AgainstBase[];
}

/** Compares runs with a base: see `figuresOf`, `compareCases` and `judgeRegression`. */
export function compareRuns(base: ComparedRun, others: readonly ComparedRun[]): ComparedRuns {
  const labelOf = labelRuns([base, ...others]);
  const figured = (run: ComparedRun) => ({
    run,
    label: labelOf(run),
    figures: figuresOf(run.cases),
  });
  return {
    base: figured(base),
    others: others.map((run) => {
      const comparison = compareCases(base.cases, run.cases);
      return { ...figured(run), comparison, regression: judgeRegression(comparison) };
    }),
  };
}

type NamedRun = Pick<ComparedRun, 'head'>;

/** Tells runs apart: see `FiguredRun`. */
export function labelRuns(runs: readonly NamedRun[]): (run: NamedRun) => string {
  const counts = new Map<string, number>();
  for (const { head } of runs) counts.set(head.run_name, (counts.get(head.run_name) ?? 0) + 1);
  return ({ head }) =>
    (counts.get(head.run_name) ?? 0) > 1 ? `${head.run_id} ${head.run_name}` : head.run_name;
}

/** What the figures of the runs are of: `whole run`, or what is left of them. */
export function figuredPart({ base, others }: ComparedRuns): string {
  const runs = [base, ...others].map(({ run }) => run);
  if (runs.some(({ part }) => part !== undefined)) return 'these cases';
  return runs.some((run) => run.ignoredErrors !== undefined) ? 'without errors' : 'whole run';
}

/** What is to know of the runs: that only some of their cases are compared, a baseline that is old, judges that changed, results of several code versions or that ran again, trials that are all alike, means without a scale. */
export function runNotes({ base, others }: ComparedRuns): string[] {
  const runs = [base, ...others];
  const { run_id, state } = base.run.head;
  const { stale } = base.run.head;
  const old = stale === undefined ? [] : [`baseline ${base.label} ${stale}`];
  const drifts = others.flatMap(({ label, comparison: { summary } }) =>
    // Only a baseline file has no state.
    driftNotes(summary.scores, run_id, state === null).map((text) => `${label}: ${text}`),
  );
  const versions = runs.flatMap(({ label, run: { head } }) =>
    head.code_versions === undefined ? [] : [`${label}: ${codeVersionsText(head.code_versions)}`],
  );
  const again = runs.flatMap(({ label, run: { head } }) =>
    head.repeats === undefined ? [] : [`${label}: ${repeatedText(head.repeats)}`],
  );
  const mixed = runs.flatMap(({ label, run: { doubts = [] } }) =>
    doubts.map(({ text, mend }) => `${label}: ${text}: ${mend}`),
  );
  const alike = runs.flatMap(({ label, figures: { trials_alike } }) =>
    trials_alike ? [`${label}: ${alikeTrialsText}`] : [],
  );
  const parts = runs.flatMap(({ label, run: { part } }) =>
    part === undefined ? [] : [`${label}: ${part}`],
  );
  const ignored = runs.flatMap(({ label, run: { ignoredErrors: count } }) =>
    count === undefined ? [] : [`${label}: ${countOf(count, 'error')} left out`],
  );
  const hint = scaleHint(runs.flatMap(({ figures }) => figures.scores));
  const scaled = hint === undefined ? [] : [hint];
  return [
    ...parts,
    ...ignored,
    ...old,
    ...drifts,
    ...versions,
    ...again,
    ...mixed,
    ...alike,
    ...scaled,
  ];
}
