import { type EvalCase, scoreOf } from '../../compare/cases/eval-case.js';
import type { LostSummary } from '../../compare/cases/lost-scores.js';
import { type AgainstBase, compareRuns } from '../../compare/compare-runs.js';
import { type ComparedRun, ignoreErrorsOf, withAge } from '../../compare/compared-run.js';
import { judgeBaselineGate } from '../../compare/gates/judge-gates.js';
import { type OpenedForComparison, openBaseline } from '../../compare/open-for-comparison.js';
import type { LinkOfCase } from '../../exporters/markdown-text.js';
import type { BaseCases } from '../../model/gates/errors-of-score.js';
import type { GateVerdict } from '../../model/gates/gate-verdict.js';
import type { BaselineGate } from '../../model/gates/judge-gate.js';
import type { ReferenceOptions } from '../../store/listing/resolve-reference.js';
import { openStore } from '../../store/store.js';
import { renderComparisonMarkdown } from '../compare/compare-markdown.js';
import { type CompareReportOptions, renderComparison } from '../compare/compare-report.js';
import { readShown, type ShownPairs } from '../compare/compare-shown.js';
import type { ReportedComparison } from '../reporters/reporter.js';

export interface BaselineComparison extends ReportedComparison {
  /** Judges the gates of `--fail-on`. */
  judge(gates: readonly BaselineGate[]): GateVerdict[];
  /** What the run has lost, which its own gates cannot see. */
  readonly lost: LostSummary;
  readonly base: BaseCases;
  /** See `ComparedHead`. */
  readonly stale: string | undefined;
  /** For a terminal. */
  text(page: CompareReportOptions): string;
}

interface CompareOptions {
  readonly withVerdict: boolean;
  /** Links cases in Markdown to their source. */
  readonly linkOf?: LinkOfCase | undefined;
  readonly columns: number;
}

interface OpenBaselineOptions extends ReferenceOptions {
  readonly ignoreErrors?: boolean;
  /** `null` for any age. */
  readonly maxAgeDays: number | null;
}

const mostShown = 10;

/** The baseline of a run: a snapshot before anything runs, even if it is the run that runs again. */
export class RunBaseline {
  readonly #base: OpenedForComparison;

  readonly #ignoreErrors: boolean;

  private constructor(base: OpenedForComparison, ignoreErrors: boolean) {
    this.#base = base;
    this.#ignoreErrors = ignoreErrors;
  }

  /**
   * Opens the baseline. With `ignoreErrors`, errors count neither in the baseline nor in the run; `maxAgeDays`: see
   * `withAge`. Errors: those of `openBaseline` and `ignoreErrorsOf`.
   */
  static async open(
    resultsDir: string,
    reference: string,
    { ignoreErrors = false, maxAgeDays, ...options }: OpenBaselineOptions,
  ): Promise<RunBaseline> {
    const opened = await openBaseline(await openStore(resultsDir), reference, options);
    const base = withAge(opened, maxAgeDays);
    return new RunBaseline(ignoreErrors ? ignoreErrorsOf(base) : base, ignoreErrors);
  }

  /** The baseline that a run of the same command is. Its caller closes it. */
  static ofRun(run: ComparedRun, ignoreErrors = false): RunBaseline {
    const base = { ...run, problems: [], isFile: false, close: async () => undefined };
    return new RunBaseline(ignoreErrors ? ignoreErrorsOf(base) : base, ignoreErrors);
  }

  /** Problems of its files that the user should know, in sentences. */
  get problems(): readonly string[] {
    return this.#base.problems;
  }

  /** Seconds that a trial of a case takes, by case id; absent unless a file says so, which other machines can have, too. */
  get latencies(): ReadonlyMap<string, number> | undefined {
    const { isFile, cases } = this.#base;
    if (!isFile) return undefined;
    return new Map(
      cases.flatMap(({ id, latency }): [string, number][] =>
        latency === null ? [] : [[id, latency]],
      ),
    );
  }

  /**
   * Compares a run with the baseline, and reads the outputs that fit a page of `columns`. Omits the verdict on
   * regressions if a gate reports it.
   */
  async compare(
    run: ComparedRun,
    { withVerdict, columns, linkOf }: CompareOptions,
  ): Promise<BaselineComparison> {
    const runs = compareRuns(this.#base, [this.#ignoreErrors ? ignoreErrorsOf(run) : run]);
    const [other] = runs.others;
    if (other === undefined) throw new Error('one run gives one comparison');
    const shown = await readShown(runs, { limit: mostShown, columns });
    return {
      judge: (gates) =>
        gates.length === 0
          ? []
          : [...gates.map((gate) => judgeBaselineGate(gate, other.comparison)), ...this.#doubts()],
      stale: this.#base.head.stale,
      lost: other.comparison.summary.lost,
      base: {
        having: (key) => idsOf(this.#base.cases.filter((one) => scoreOf(one, key) !== undefined)),
        shown: idsOf(this.#base.cases.filter(({ trials, errors = 0 }) => trials > errors)),
      },
      text: (page) =>
        renderComparison(runs, shown, { ...page, now: Date.now(), afterRun: true, withVerdict }),
      markdown: renderComparisonMarkdown(runs, shown, { withVerdict, linkOf }),
      regressed: regressedIds(other, shown.get(other)),
    };
  }

  close(): Promise<void> {
    return this.#base.close();
  }

  /** What is of several systems is no measure for another run. */
  #doubts(): GateVerdict[] {
    return (this.#base.doubts ?? []).map(({ text, mend }) => ({
      verdict: 'cannot-tell',
      text: `baseline ${this.#base.head.run_name}: ${text}: ${mend}`,
    }));
  }
}

function idsOf(cases: readonly EvalCase[]): ReadonlySet<string> {
  return new Set(cases.map(({ id }) => id));
}

function regressedIds({ comparison }: AgainstBase, shown: ShownPairs | undefined): string[] {
  const first = (shown?.details ?? []).map(({ pair }) => pair);
  const regressed = [...first, ...comparison.pairs].filter(({ change }) => change === 'regressed');
  return [...new Set(regressed.map(({ id }) => id))];
}
