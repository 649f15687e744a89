import type { CaseFigures } from '../../compare/cases/case-figures.js';
import type { Change } from '../../compare/cases/change.js';
import type { EvalCase } from '../../compare/cases/eval-case.js';
import type { ComparisonSummary } from '../../compare/compare-cases.js';
import type { AgainstBase, ComparedRuns, FiguredRun } from '../../compare/compare-runs.js';
import type { ComparedHead } from '../../compare/compared-run.js';
import { type GateVerdicts, judgeGates } from '../../compare/gates/judge-gates.js';
import type { VariantComparison } from '../../compare/variants/compare-variants.js';
import type { DiffPart } from '../../text/word-diff.js';
import type { ShownPairs } from './compare-shown.js';
import { movedTexts } from './compare-words.js';

/** A run of a comparison, with its figures. */
interface ComparedRunJson extends ComparedHead, CaseFigures {}

/** One side of a shown case. */
interface CaseJson {
  /** The number of finished trials. */
  readonly trials: number;
  readonly passes: number;
  readonly judged: number;
  readonly latency: number | null;
}

/** A shown case. */
interface PairJson {
  readonly id: string;
  readonly change: Change;
  readonly base: CaseJson | null;
  readonly other: CaseJson | null;
  /** The changes in words: `exact ✓ → ✗`. */
  readonly moved: readonly string[];
  /** The shortened difference of the outputs; `null` if there is none. */
  readonly output_diff: readonly DiffPart[] | null;
}

/** A run compared with the base. */
interface AgainstBaseJson extends ComparisonSummary {
  readonly run_id: string;
  readonly run_name: string;
  readonly gates: GateVerdicts;
  readonly rows: readonly PairJson[];
}

/** Answer of `assay sessions compare --json`; the first run is the base. */
export interface ComparisonJson {
  readonly runs: readonly ComparedRunJson[];
  /** One for each run except the base. */
  readonly comparisons: readonly AgainstBaseJson[];
  /** The same runs as variants of one thing; absent for two. */
  readonly variants?: VariantComparison;
}

/** A comparison as JSON. */
export function toComparisonJson(
  { base, others }: ComparedRuns,
  shown: ReadonlyMap<AgainstBase, ShownPairs>,
  variants?: VariantComparison,
): ComparisonJson {
  return {
    runs: [base, ...others].map(toRunJson),
    comparisons: others.map((other) => ({
      run_id: other.run.head.run_id,
      run_name: other.run.head.run_name,
      ...other.comparison.summary,
      gates: judgeGates(other.comparison, other.regression),
      rows: (shown.get(other)?.details ?? []).map(({ pair, diff }) => ({
        id: pair.id,
        change: pair.change,
        base: toCaseJson(pair.base),
        other: toCaseJson(pair.other),
        moved: movedTexts(pair, other),
        output_diff: diff,
      })),
    })),
    ...(variants && { variants }),
  };
}

function toRunJson({ run, figures }: FiguredRun): ComparedRunJson {
  return { ...run.head, ...figures };
}

function toCaseJson(evalCase: EvalCase | undefined): CaseJson | null {
  if (evalCase === undefined) return null;
  const { trials, passes, judged, latency } = evalCase;
  return { trials, passes, judged, latency };
}
