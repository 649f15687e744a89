import { AssayError } from '../../errors.js';
import type { CorrectedScore } from '../../model/calibration/calibration.js';
import type { JsonObject } from '../../model/json.js';
import type { RunState } from '../../model/run.js';
import type { Bounds } from '../../statistics/bounds.js';
import {
  controlLimits,
  type Draws,
  DriftSum,
  deviationOf,
  type ExpectedCase,
} from '../../statistics/control-limits.js';
import { previousOf, runsBefore } from '../../store/listing/previous-of.js';
import type { ListedRun } from '../../store/listing/run-json.js';
import { nameText } from '../../text/name-text.js';
import type { CaseFigures, RateFigure, ScoreFigure } from '../cases/case-figures.js';
import { type ScoreMeasure, scoreMeasures } from '../cases/score-measures.js';
import type { ComparisonSummary, MeasureDifference } from '../compare-cases.js';

/** The pass rate (`key` is `null`) or a score over runs; plain JSON. */
export interface TrendMeasure extends Omit<ScoreMeasure, 'key'> {
  readonly key: string | null;
  /** The direction of an improvement. */
  readonly better: 'higher' | 'lower';
}

/** The change of a figure since the run before, over the cases that both have; plain JSON. */
type TrendStep = Pick<
  MeasureDifference,
  'pairs' | 'difference' | 'p' | 'p_adjusted' | 'among' | 'beyond_chance'
>;

/** A figure of a run: a share, a mean, or the p50 of values without a scale; plain JSON. */
export interface TrendFigure extends Bounds {
  readonly estimate: number;
  /** Of shares: passes, and what counts. */
  readonly passed?: number;
  readonly of?: number;
  /** True for the p50 of values whose mean has no interval. */
  readonly is_p50?: true;
  /** `null` where there is no run before, or nothing to compare. */
  readonly step: TrendStep | null;
  /** Where 95 of 100 runs of an unchanged system lie; `null` if unknown. */
  readonly limits: Bounds | null;
  /** Present where the figure lies outside of the limits. */
  readonly outside?: 'above' | 'below';
  /** Present where a slow drift shows that no step does. */
  readonly drift?: 'up' | 'down';
}

/** A run of a trend; plain JSON. */
export interface TrendRun {
  readonly run_id: string;
  readonly run_name: string;
  /** When it first started, in whole Unix seconds. */
  readonly started_at: number;
  readonly state: RunState;
  readonly config_name: string;
  readonly params?: JsonObject;
  readonly commit?: string;
  readonly results: number;
  /** False for runs that the line does not join: other config, params or cases, or not finished. */
  readonly on_line: boolean;
  readonly previous: { readonly run_id: string; readonly run_name: string } | null;
  /** Why there is none. */
  readonly no_previous?: string;
  /** In the order of the measures of the trend; `null` where the run does not have one. */
  readonly figures: readonly (TrendFigure | null)[];
  /** What its calls cost, in US dollars; the cost is `null` if unknown, all of it without calls. */
  readonly cost: { readonly cost: number | null; readonly unpriced: number } | null;
  /** Seconds, over finished attempts; `null` without latencies. */
  readonly p95: (Bounds & { readonly estimate: number }) | null;
  /** Rates of calibrated judges without their mistakes; absent for none. */
  readonly corrected?: readonly CorrectedScore[];
}

/** Runs of a session in order; plain JSON. */
export interface Trend {
  readonly session_name: string;
  /** The config of the line; `null` without a finished run. */
  readonly config_name: string | null;
  /** All runs of the session. */
  readonly total: number;
  /** Names of runs that cannot be read. */
  readonly unreadable: readonly string[];
  /** The run from which limits count on: the oldest of the line, unless another one is named. */
  readonly baseline: { readonly run_id: string; readonly run_name: string } | null;
  /** Why there are no limits; absent if there are some. */
  readonly no_limits?: string;
  /** The pass rate first. */
  readonly measures: readonly TrendMeasure[];
  /** Oldest first. */
  readonly runs: readonly TrendRun[];
}

/** The values of cases under one measure: lists of the length of `ids`; a count of 0 for none. */
export interface CaseValues {
  readonly count: Uint32Array;
  readonly sum: Float64Array;
  readonly squares: Float64Array;
}

/** What a trend needs of a run, small enough to keep for each of 200 runs. */
export interface TrendFacts {
  readonly figures: CaseFigures;
  readonly cost: TrendRun['cost'];
  readonly p95: TrendRun['p95'];
  readonly corrected: readonly CorrectedScore[];
  readonly ids: readonly string[];
  /** Identifies the attempts of each case; `undefined` if unknown. */
  readonly attempts: readonly (string | undefined)[];
  /** By measure: see `measureId`. */
  readonly values: ReadonlyMap<string, CaseValues>;
}

/** A run with what was read of it; the step is absent without a run before. */
export interface TrendPoint {
  readonly run: ListedRun;
  readonly facts: TrendFacts;
  readonly step?: ComparisonSummary | undefined;
}

/** Names a measure: its type and key. */
export function measureId({ key, type }: { readonly key: string | null; readonly type: string }) {
  return key === null ? 'pass rate' : `${type} ${key}`;
}

/** Each case needs this number of values before a run is judged by them. */
const fewestDraws = 5;
/** The least share of the cases of a run that must be judged, as for the run before. */
const leastShared = 0.8;

function notOnLine(runs: readonly ListedRun[], baseline: string): AssayError {
  const name = runs.find(({ run_id }) => run_id === baseline)?.run_name ?? baseline;
  return new AssayError(
    'bad-request',
    `${nameText(name)} is not on the line of the trend, so it cannot be its baseline.`,
    { hints: ['The line joins finished runs of one config whose cases are mostly the same.'] },
  );
}

/** Runs of a session, newest first, and what was asked for. */
export interface TrendSubject {
  readonly session_name: string;
  readonly runs: readonly ListedRun[];
  /** Oldest first. */
  readonly points: readonly TrendPoint[];
  readonly unreadable: readonly string[];
  /** The config of the line; default: that of the newest finished run. */
  readonly config?: string | undefined;
  /** The id of the run from which limits count on; default: the oldest of the line. */
  readonly baseline?: string | undefined;
}

/**
 * The trend of a session. The line goes from the newest finished run (of the config) to the run before it, and so on: see
 * `previousOf`. Error: `bad-request` for a baseline that is not on the line. Limits and drift are of runs on the line: see `deviationOf` and `DriftSum`.
 */
export function trendOf({
  session_name,
  runs,
  points,
  unreadable,
  config,
  baseline,
}: TrendSubject): Trend {
  const line = lineOf(runs, config);
  const onLine = new Set(line.map(({ run_id }) => run_id));
  const measures = measuresOf(points);
  const ofLine = points.filter(({ run }) => onLine.has(run.run_id));
  const named = ofLine.findIndex(({ run }) => run.run_id === baseline);
  if (baseline !== undefined && named < 0) throw notOnLine(runs, baseline);
  const first = Math.max(0, named);
  const start = ofLine[first]?.run;
  const no_limits = whyNoLimits(ofLine);
  const judged = new Map<TrendPoint, Judged[]>();
  if (no_limits === undefined) {
    for (const measure of measures) judgeLine(ofLine.slice(first), measure, judged);
  }
  return {
    session_name,
    config_name: line[0]?.config_name ?? null,
    total: runs.length,
    unreadable,
    baseline: start ? { run_id: start.run_id, run_name: start.run_name } : null,
    ...(no_limits !== undefined && { no_limits }),
    measures,
    runs: points.map((point) => ({
      ...headOf(point, runs),
      on_line: onLine.has(point.run.run_id),
      figures: measures.map((measure, at) => figureOf(point, measure, judged.get(point)?.[at])),
    })),
  };
}

/** The runs that a line joins, newest first. */
function lineOf(runs: readonly ListedRun[], config: string | undefined): ListedRun[] {
  const newest = runs.find(
    ({ state, comparable, config_name }) =>
      state === 'finished' &&
      comparable?.unfinished === 0 &&
      (config === undefined || config_name === config),
  );
  return [...runsBefore(runs, newest)];
}

function whyNoLimits(line: readonly TrendPoint[]): string | undefined {
  if (line.some(({ facts }) => facts.figures.clusters !== undefined)) {
    return 'cases share clusters, so how much a run varies by chance is not known';
  }
  return undefined;
}

function measuresOf(points: readonly TrendPoint[]): TrendMeasure[] {
  const better = new Map<string, 'higher' | 'lower'>();
  for (const { step } of points) {
    for (const score of step?.scores ?? []) better.set(measureId(score), score.better);
  }
  const scores = scoreMeasures(points.map(({ facts }) => facts.figures.scores));
  return [
    { key: null, type: 'ratio', name: 'pass rate', better: 'higher' },
    ...scores.map((score) => ({ ...score, better: better.get(measureId(score)) ?? 'higher' })),
  ];
}

function headOf(
  { run, facts }: TrendPoint,
  runs: readonly ListedRun[],
): Omit<TrendRun, 'on_line' | 'figures'> {
  const before = previousOf(runs, run.run_id);
  const { run_id, run_name, started_at, state, config_name, params, commit } = run;
  return {
    ...{ run_id, run_name, started_at, state, config_name, results: run.total_evaluations },
    ...(params && { params }),
    ...(commit !== undefined && { commit }),
    previous: before.run ? { run_id: before.run.run_id, run_name: before.run.run_name } : null,
    ...(before.run === undefined && { no_previous: before.why }),
    ...{ cost: facts.cost, p95: facts.p95 },
    ...(facts.corrected.length > 0 && { corrected: facts.corrected }),
  };
}

/** What is said of a figure beside its own value. */
type Judged = Pick<TrendFigure, 'limits' | 'outside' | 'drift'>;

const notJudged: Judged = { limits: null };

function figureOf(
  { facts, step }: TrendPoint,
  measure: TrendMeasure,
  judged: Judged = notJudged,
): TrendFigure | null {
  const value = shownValue(facts, measure);
  if (value === null) return null;
  return { ...value, step: stepOf(step, measure), ...judged };
}

function shownValue({ figures }: TrendFacts, { key, type }: TrendMeasure) {
  const found =
    key === null
      ? figures.pass_rate
      : figures.scores.find((one) => one.key === key && one.type === type);
  return found === undefined ? null : ownValue(found);
}

function ownValue(figure: RateFigure | ScoreFigure) {
  if ('rate' in figure) {
    return figure.rate && { ...figure.rate, passed: figure.passed, of: figure.total };
  }
  if (figure.percentiles === undefined) return figure.mean;
  const { p50 } = figure.percentiles;
  return p50 === null ? null : { estimate: p50, low: null, high: null, is_p50: true as const };
}

function stepOf(
  step: ComparisonSummary | undefined,
  { key, type }: TrendMeasure,
): TrendStep | null {
  const found =
    key === null
      ? step?.pass_rate
      : step?.scores.find((one) => one.key === key && one.type === type);
  if (found === undefined || found.difference === null) return null;
  const { pairs, difference, p, p_adjusted, among, beyond_chance } = found;
  return { pairs, difference, p, p_adjusted, among, beyond_chance };
}

/** Adds what is said of one measure to each run of the line, oldest first. */
function judgeLine(
  line: readonly TrendPoint[],
  measure: TrendMeasure,
  judged: Map<TrendPoint, Judged[]>,
): void {
  const isShare = measure.type === 'ratio';
  const reference = new Known();
  const recent = new Known();
  const drifts = new DriftSum();
  for (const point of line) {
    const list = judged.get(point) ?? [];
    judged.set(point, list);
    const cases = freshCases(point.facts, measure, recent);
    const ofReference = reference.of(cases);
    if (ofReference.length < leastShared * cases.length) reference.add(cases);
    const ofRecent = recent.of(cases);
    const step = stepOf(point.step, measure);
    if (step?.beyond_chance === true) {
      // From here on it is another system.
      recent.clear();
      drifts.reset();
    }
    const value = shownValue(point.facts, measure);
    const all = point.facts.values.get(measureId(measure))?.count.filter((n) => n > 0).length ?? 0;
    const isJudged = (of: readonly unknown[]) => of.length > 0 && of.length >= leastShared * all;
    const found = isJudged(ofReference) ? deviationOf(ofReference, isShare) : undefined;
    const since =
      isJudged(ofRecent) && step?.beyond_chance !== true
        ? deviationOf(ofRecent, isShare)
        : undefined;
    const drift = since && drifts.add(since);
    if (drift !== undefined) recent.clear();
    recent.add(cases);
    list.push({
      ...(found && value && found.sd > 0 ? limitsOf(value.estimate, found, isShare) : notJudged),
      ...(drift && { drift }),
    });
  }
}

/** The limits where the figure of the run stands, which may have a few cases that are not judged. */
function limitsOf(
  estimate: number,
  deviation: NonNullable<ReturnType<typeof deviationOf>>,
  isShare: boolean,
): Judged {
  const shift = estimate - deviation.mean;
  const limits = controlLimits({ ...deviation, expected: deviation.expected + shift }, isShare);
  const { low, high } = limits;
  const slack = 1e-12;
  if (low !== null && estimate < low - slack) return { limits, outside: 'below' };
  if (high !== null && estimate > high + slack) return { limits, outside: 'above' };
  return { limits };
}

/** A case of a run with its values. */
interface CaseDraws {
  readonly id: string;
  readonly attempt: string | undefined;
  readonly now: Draws;
}

/** The cases whose attempts are of the run itself, not carried over from a run that is known. */
function freshCases({ ids, attempts, values }: TrendFacts, measure: TrendMeasure, known: Known) {
  const own = values.get(measureId(measure));
  const cases: CaseDraws[] = [];
  if (own === undefined) return cases;
  for (const [at, id] of ids.entries()) {
    const count = own.count[at] ?? 0;
    const attempt = attempts[at];
    if (count === 0 || known.has(attempt)) continue;
    cases.push({
      id,
      attempt,
      now: { count, sum: own.sum[at] ?? 0, squares: own.squares[at] ?? 0 },
    });
  }
  return cases;
}

/** The values that cases had in several runs. */
class Known {
  readonly #draws = new Map<string, Draws>();
  readonly #attempts = new Set<string>();

  has(attempt: string | undefined): boolean {
    return attempt !== undefined && this.#attempts.has(attempt);
  }

  add(cases: readonly CaseDraws[]): void {
    for (const { id, attempt, now } of cases) {
      const { count, sum, squares } = this.#draws.get(id) ?? { count: 0, sum: 0, squares: 0 };
      this.#draws.set(id, {
        count: count + now.count,
        sum: sum + now.sum,
        squares: squares + now.squares,
      });
      if (attempt !== undefined) this.#attempts.add(attempt);
    }
  }

  /** Those of the cases that have enough values here. */
  of(cases: readonly CaseDraws[]): ExpectedCase[] {
    return cases.flatMap(({ id, now }) => {
      const before = this.#draws.get(id);
      return before !== undefined && before.count >= fewestDraws ? [{ before, now }] : [];
    });
  }

  /** Forgets the values, not the attempts. */
  clear(): void {
    this.#draws.clear();
  }
}
