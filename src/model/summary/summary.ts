import { FiniteMean } from '../../statistics/finite-mean.js';
import { isUnbounded, type Scale } from '../../statistics/value-scale.js';
import { wilsonInterval } from '../../statistics/wilson-interval.js';
import { type RunUsage, RunUsageSum } from '../calls/run-usage.js';
import type { Usage } from '../calls/usage.js';
import {
  countedOf,
  hasOtherAttempt,
  hasVerdict,
  isFinished,
  passes,
  type RowFacts,
} from '../result.js';
import type {
  CodeVersion,
  GradingNoise,
  Mixed,
  Repeats,
  RunHead,
  RunTotals,
  TrialFields,
  VerdictCounts,
} from '../run.js';
import type { ScoreChip, ScoreFacts } from '../scores/score.js';
import { isGiven } from '../scores/score-rule.js';
import { ClusterNumbers } from './cluster-totals.js';
import { CodeVersionCounter, severalOf } from './code-versions.js';
import { type PassRate, passRate } from './pass-rate.js';
import { type ScoreScales, ScoreValues } from './score-values.js';
import { TrialCounter } from './trial-statistics.js';
import { type Verified, verifiedOf } from './verified.js';

/** The figures of the results of a run. */
export interface Summary {
  readonly totals: RunTotals;
  /** Results that neither completed nor are errors; pruned ones are left out. */
  readonly unfinished: number;
  /** Results by verdict, over the attempts that count; `of` is passed + failed + errors. */
  readonly verdicts: VerdictCounts & { readonly of: number };
  /** `verdicts.passed / verdicts.of` as a share with its 95 % interval; `null` when nothing has a verdict. See `passRate`. */
  readonly pass_rate: PassRate | null;
  readonly score_chips: readonly ScoreChip[];
  /** How many independent units intervals are over: clusters, and cases without one; absent if no case has a cluster. */
  readonly clusters?: number;
  /** The totals and chips of the attempts that count, which gates judge; the same as above without repeats. */
  readonly counted: { readonly totals: RunTotals; readonly score_chips: readonly ScoreChip[] };
  /** Results that ran again outside of a pass; absent for none. */
  readonly repeats?: Repeats;
  /** Those of them that ran to verify what was carried over; absent for none. */
  readonly verified?: Verified;
  /** Absent for none. */
  readonly mixed?: Mixed;
  /** Absent where no verdict differs. */
  readonly grading_noise?: readonly GradingNoise[];
  readonly trial_fields: TrialFields | undefined;
  /** See `RunHead`. */
  readonly code_versions: readonly CodeVersion[] | undefined;
  /** What the run spent on calls of these results, in all their attempts; beside it what they took over. */
  readonly usage: RunUsage | undefined;
}

/** What a run knows beside its rows. */
export interface BesideRows {
  /** What calls without a result spent; beside a part of a run, those that may belong to it. */
  readonly unlisted?: Usage | undefined;
  /** Some repeats are of a version that did not tell full passes apart. */
  readonly hasOldRepeats?: boolean | undefined;
}

/** The same from a run JSON of all its rows. */
export function besideRows({ usage, repeats }: Pick<RunHead, 'usage' | 'repeats'>): BesideRows {
  return { unlisted: usage?.unlisted, hasOldRepeats: repeats?.of_older_version };
}

/** The figures of a summary in the head of a run JSON. */
export function headFigures(summary: Summary) {
  const { totals, trial_fields, code_versions, usage, repeats, verified, mixed, grading_noise } =
    summary;
  return {
    ...totals,
    ...trial_fields,
    ...(repeats && { repeats }),
    ...(verified && { verified }),
    ...(mixed && { mixed }),
    ...(grading_noise && { grading_noise }),
    ...(code_versions && { code_versions }),
    ...usageFigures(usage),
  };
}

/** The usage of a run, with the cost of what no result has. */
export function usageFigures(usage: RunUsage | undefined) {
  const { cost } = usage?.unlisted ?? {};
  return { ...(usage && { usage }), ...(cost && { unlisted_cost: cost }) };
}

/**
 * Counts the rows of a run, or a part of them with the scales of all: its totals, chips and usage over the newest
 * attempts; rates, trial statistics and what gates judge over those that count. With trials or repeats, rows are read
 * twice.
 */
export function summarise(
  rows: Iterable<RowFacts>,
  scales?: ScoreScales,
  { unlisted, hasOldRepeats }: BesideRows = {},
): Summary {
  const newest = figuresOf(rows, scales, unlisted);
  const { totals, score_chips, trial_fields } = newest;
  const repeats = countRepeats(rows, hasOldRepeats);
  if (repeats === undefined) return { ...newest, counted: { totals, score_chips } };
  const counted = figuresOf(countedRows(rows), scales);
  const { trial_statistics } = counted.trial_fields ?? {};
  const verified = verifiedOf(rows);
  return {
    ...newest,
    verdicts: counted.verdicts,
    pass_rate: counted.pass_rate,
    counted: { totals: counted.totals, score_chips: counted.score_chips },
    repeats,
    ...(verified && { verified }),
    trial_fields: trial_fields && trial_statistics && { ...trial_fields, trial_statistics },
  };
}

function figuresOf(
  rows: Iterable<RowFacts>,
  scales: ScoreScales | undefined,
  unlisted?: Usage,
): Omit<Summary, 'counted' | 'repeats' | 'verified'> {
  let total = 0;
  const trialCounter = new TrialCounter();
  let pruned = 0;
  const versions = new CodeVersionCounter();
  const functions = new Set<string>();
  const chips = new ChipCounter();
  let passed = 0;
  let errors = 0;
  let unfinished = 0;
  let judged = 0;
  let none = 0;
  let withScores = 0;
  const latency = new FiniteMean();
  const usage = new RunUsageSum();
  const units = new ClusterNumbers();
  const noise = new GradingNoiseCounter();
  const mixed = new MixedCounter();
  for (const row of rows) {
    functions.add(row.evaluation);
    total += 1;
    usage.add(row);
    if (row.pruned === true) {
      pruned += 1;
      continue;
    }
    units.of(row);
    mixed.add(row);
    trialCounter.add(row);
    versions.add(row);
    if (passes(row)) passed += 1;
    if (hasVerdict(row)) judged += 1;
    else if (row.status === 'completed') none += 1;
    if (row.status === 'error') errors += 1;
    if (!isFinished(row)) unfinished += 1;
    if (row.scores.length > 0) withScores += 1;
    if (row.latency !== null) latency.add(row.latency);
    chips.add(row.scores);
    if (row.scoresBefore !== undefined) noise.add(row);
  }
  if (unlisted !== undefined) usage.addUnlisted(unlisted);
  const of = judged + errors;
  const trials = trialCounter.fields();
  const { noise: grading_noise } = noise;
  return {
    totals: {
      total_evaluations: total,
      ...(pruned > 0 && { total_pruned: pruned }),
      total_functions: functions.size,
      total_passed: passed,
      total_errors: errors,
      total_with_scores: withScores,
      average_latency: latency.value,
    },
    unfinished,
    verdicts: { passed, failed: judged - passed, errors, none, of },
    ...(units.hasClusters && { clusters: units.count }),
    pass_rate: trials === undefined && !units.hasClusters ? plainRate(passed, of) : passRate(rows),
    score_chips: chips.chips(scales),
    ...(mixed.found && { mixed: mixed.found }),
    ...(grading_noise && { grading_noise }),
    trial_fields: trials,
    code_versions: severalOf(versions),
    usage: usage.usage(),
  };
}

/** The result of `passRate` without trials and clusters, from the counts. */
function plainRate(passed: number, total: number): PassRate | null {
  return total === 0 ? null : { passed, total, ...wilsonInterval(passed, total) };
}

/** Chips of scores, in order of first appearance: a ratio when an evaluator gave any score of the key a verdict, or a person did and no threshold. `scales`: those of the whole run, where the rows are a part of it. */
export function scoreChips(
  rows: Iterable<{ readonly scores: readonly ScoreFacts[] }>,
  scales?: ScoreScales,
): ScoreChip[] {
  const counter = new ChipCounter();
  for (const row of rows) counter.add(row.scores);
  return counter.chips(scales);
}

class ChipCounter {
  readonly #keys = new Map<string, KeyCounts>();

  add(scores: readonly ScoreFacts[]): void {
    for (const score of scores) {
      let counts = this.#keys.get(score.key);
      if (counts === undefined) {
        counts = {
          passed: 0,
          judged: 0,
          given: 0,
          derived: 0,
          mean: new FiniteMean(),
          values: new ScoreValues(),
          thresholds: [],
          better: undefined,
        };
        this.#keys.set(score.key, counts);
      }
      const { passed, value, threshold, better, scale, source } = score;
      if (passed !== undefined) counts.judged += 1;
      if (isGiven(score) && source !== 'human') counts.given += 1;
      if (passed !== undefined && threshold !== undefined) counts.derived += 1;
      if (passed === true) counts.passed += 1;
      if (value !== undefined) {
        counts.mean.add(value);
        counts.values.add(value, 1, scale);
      }
      if (threshold !== undefined && !counts.thresholds.includes(threshold)) {
        // Two say that they differ.
        if (counts.thresholds.length < 2) counts.thresholds.push(threshold);
      }
      counts.better ??= better;
    }
  }

  chips(scales?: ScoreScales): ScoreChip[] {
    return [...this.#keys].map(([key, counts]) =>
      toChip(key, counts, scales?.get(key) ?? counts.values.scale),
    );
  }
}

interface KeyCounts {
  passed: number;
  judged: number;
  /** By evaluators. */
  given: number;
  /** By thresholds; the other verdicts are of persons. */
  derived: number;
  readonly mean: FiniteMean;
  readonly values: ScoreValues;
  /** The first two different ones. */
  readonly thresholds: number[];
  better: 'lower' | undefined;
}

function toChip(key: string, counts: KeyCounts, scale: Scale): ScoreChip {
  const { passed, judged, given, derived, mean, values, thresholds, better } = counts;
  const [threshold, ...others] = thresholds;
  const figures = {
    avg: mean.value,
    count: mean.count,
    ...(isUnbounded(scale) && { percentiles: values.percentiles() }),
    ...(scale.isDeclared && { scale: [scale.low, scale.high] as const }),
  };
  const direction = better === undefined ? {} : { better };
  if (given > 0 || (judged > 0 && derived === 0)) {
    return {
      key,
      type: 'ratio',
      passed,
      total: judged,
      ...(derived > 0 && { derived }),
      ...(mean.count > 0 && { values: { ...figures, ...direction } }),
    };
  }
  return {
    key,
    type: 'avg',
    ...figures,
    ...(threshold !== undefined && { passed }),
    ...(threshold !== undefined && judged !== mean.count && { judged }),
    ...(threshold !== undefined && others.length === 0 && { threshold }),
    ...direction,
  };
}

/** Counts verdicts that another grading by the same graders has changed. */
class GradingNoiseCounter {
  readonly #keys = new Map<string, { differ: number; of: number }>();

  add({ scores, scoresBefore }: Pick<RowFacts, 'scores' | 'scoresBefore'>): void {
    for (const score of scores) {
      const before = scoresBefore?.find(({ key }) => key === score.key);
      if (before === undefined || !isSameGrader(score, before)) continue;
      const counts = this.#keys.get(score.key) ?? { differ: 0, of: 0 };
      counts.of += 1;
      if (score.passed !== before.passed) counts.differ += 1;
      this.#keys.set(score.key, counts);
    }
  }

  /** The keys of which some verdicts differ; `undefined` for none. */
  get noise(): GradingNoise[] | undefined {
    const found = [...this.#keys].flatMap(([key, counts]) =>
      counts.differ > 0 ? [{ key, ...counts }] : [],
    );
    return found.length === 0 ? undefined : found;
  }
}

/** Two machine verdicts by the same threshold, if there is one. */
function isSameGrader(one: ScoreFacts, other: ScoreFacts): boolean {
  const isVerdict = ({ passed, source }: ScoreFacts) => passed !== undefined && source !== 'human';
  return isVerdict(one) && isVerdict(other) && one.threshold === other.threshold;
}

/** Counts the results that are of another system than the others of their evaluation. */
class MixedCounter {
  #otherCode = 0;
  #formerGrades = 0;
  #gone = 0;

  add(row: RowFacts): void {
    const counted = countedOf(row);
    if (counted.otherCode === true) this.#otherCode += 1;
    if (row.gone === true && row.pruned !== true) this.#gone += 1;
    if (row.hasFormerGrade === true || counted.hasFormerGrade === true) this.#formerGrades += 1;
  }

  /** `undefined` for none. */
  get found(): Mixed | undefined {
    const counts = {
      other_code: this.#otherCode,
      former_grades: this.#formerGrades,
      gone: this.#gone,
    };
    const found = Object.entries(counts).filter(([, count]) => count > 0);
    return found.length === 0 ? undefined : Object.fromEntries(found);
  }
}

/** The attempts of rows that count, in the same order. */
export function countedRows(rows: Iterable<RowFacts>): Iterable<RowFacts> {
  return {
    *[Symbol.iterator]() {
      for (const row of rows) yield countedOf(row);
    },
  };
}

/** Counts the results that ran again outside of a pass; `undefined` for none. `isOlder`: see {@link Repeats}. */
function countRepeats(rows: Iterable<RowFacts>, isOlder = false): Repeats | undefined {
  let results = 0;
  let passed = 0;
  let regraded = 0;
  let otherCode = 0;
  for (const row of rows) {
    const { counted, code, pruned } = row;
    if (counted === undefined || pruned === true) continue;
    results += 1;
    if (passes(row)) passed += 1;
    if (!hasOtherAttempt(row)) regraded += 1;
    // What was carried over is of the same code, whatever else its modules say now.
    const isOther = row.otherCode === true || code === undefined || code !== counted.code;
    if (isOther && row.verifies !== true) otherCode += 1;
  }
  if (results === 0) return undefined;
  return {
    ...{ results, passed },
    ...(regraded > 0 && { regraded }),
    ...(otherCode > 0 && { other_code: otherCode }),
    ...(isOlder && { of_older_version: true }),
  };
}
