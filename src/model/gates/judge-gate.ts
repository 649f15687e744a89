import type { Estimate } from '../../statistics/bounds.js';
import { type Scale, unbounded } from '../../statistics/value-scale.js';
import { countOf, renderCount } from '../../text/count-text.js';
import { scoreName } from '../../text/score-name.js';
import type { CalibrationFile } from '../calibration/calibration-file.js';
import { passedShare, type ScoreChip } from '../scores/score.js';
import { originsOf } from '../summary/origins.js';
import { scoreScales } from '../summary/score-values.js';
import type { Summary } from '../summary/summary.js';
import { average, compare, percent, rounding, shown } from './compare-limit.js';
import { type BaseCases, besideErrors, type OwnErrors, sortErrors } from './errors-of-score.js';
import { cannotJudge, type GatedRun, type GateVerdict } from './gate-verdict.js';
import { judgeCorrected } from './judge-corrected.js';
import { type Figure, judgeFigure, judgeNoCalls } from './judge-figure.js';
import { besideUnjudged, countScored } from './unjudged.js';

/** A requirement for a run; if it is not met, the command exits with 1. */
export type Gate =
  /** The pass rate, from 0 to 1, must be at least this. */
  | { readonly kind: 'pass-rate'; readonly atLeast: number }
  /**
   * The share of a score whose verdicts an evaluator gives, or the average of any other one, must be at least this, or
   * at most this if lower is better. A `percent` of it, from 0 to 1, is of the scale of an average. `KEY.passed` is the share of KEY that passed and `KEY.value` the average of its
   * values, unless there is a score with that full name. Errors of the evaluations that give KEY have
   * not passed, and make an average unknown, unless `ignoresErrors`.
   */
  | {
      readonly kind: 'score';
      readonly key: string;
      readonly limit: number;
      readonly percent?: true;
      readonly ignoresErrors?: boolean;
      /** Judges the share that people would pass, by how often the judge of the score was right. */
      readonly corrected?: CalibrationFile;
      /** The rate that people would pass by the labels of this very run, which the calibration was made of. */
      readonly ownRate?: Estimate;
    }
  /** The US dollars, tokens or seconds that a figure names must be at most this. */
  | { readonly kind: 'figure'; readonly figure: Figure; readonly atMost: number }
  /** Evaluations with a target must have called a model. */
  | { readonly kind: 'no-calls' }
  /** No result may come from another run. */
  | { readonly kind: 'carried' }
  /** No carried result may differ from its new draw, as far as some ran again. */
  | { readonly kind: 'carried-wrongly' }
  /** No result may be an error. */
  | { readonly kind: 'errors' }
  /** Every result must have passed. */
  | { readonly kind: 'failures' };

/** Requirements for a run compared with its baseline. */
export const baselineGates = ['regression', 'new-failures', 'missing'] as const;
export type BaselineGate = (typeof baselineGates)[number];

export function judgeGate(gate: Gate, run: GatedRun, base: BaseCases = noBase): GateVerdict {
  const summary = run.summary();
  switch (gate.kind) {
    case 'figure':
      return judgeFigure(gate.figure, gate.atMost, run);
    case 'no-calls':
      return judgeNoCalls(run);
    case 'carried':
      return judgeCarried(run);
    case 'carried-wrongly':
      return judgeCarriedWrongly(run);
    case 'pass-rate':
      return judgePassRate(gate.atLeast, summary);
    case 'score':
      return judgeScore(gate, run, base);
    case 'errors':
      return judgeErrors(summary);
    default:
      return judgeFailures(summary);
  }
}

const noBase: BaseCases = { having: () => new Set(), shown: new Set() };

function judgePassRate(atLeast: number, { verdicts }: Summary): GateVerdict {
  if (verdicts.of === 0) {
    return {
      verdict: 'cannot-tell',
      text: `pass rate ≥ ${percent.limit(atLeast)} cannot be judged: no result has a verdict`,
    };
  }
  const rate = verdicts.passed / verdicts.of;
  const { passed, errors, none, of } = verdicts;
  const verdict = compare('pass rate', rate, atLeast, percent, ofText(passed, of, errors));
  const counts = { having: of - errors, lacking: none, of: of + none };
  return besideUnjudged(verdict, 'a verdict', counts);
}

function judgeScore(gate: ScoreGate, run: GatedRun, base: BaseCases): GateVerdict {
  const { key, limit, ignoresErrors, corrected, ownRate } = gate;
  if (corrected !== undefined) {
    const { own, others } = sortErrors(key, run, base);
    const errors = ignoresErrors === true ? 0 : own.count;
    const judged = judgeCorrected({ key, limit, errors, ownRate }, run, corrected);
    const counts = countScored(run, key, ({ passed }) => passed !== undefined);
    const verdict = besideUnjudged(judged, 'it', counts);
    return ignoresErrors === true ? verdict : besideErrors(verdict, key, others);
  }
  const { score_chips } = run.summary().counted;
  const find = (name: string) => score_chips.find((one) => one.key === name);
  const [, partOf = '', part] = (find(key) ? null : /^(.*)\.(passed|value)$/s.exec(key)) ?? [];
  const name = part === undefined ? key : partOf;
  const chip = find(name);
  if (chip === undefined) {
    const known = score_chips.map((one) => one.key).join(', ') || 'none';
    return cannotJudge(scoreName(key), `no result has a score ${key}; there are: ${known}`);
  }
  const isShare = part === undefined ? chip.type === 'ratio' : part === 'passed';
  const scale = isShare ? scaleOfShares : scoreScales(run.rows).get(name);
  const values = chip.type === 'avg' ? chip : chip.values;
  const meant = meantLimit(gate, scale, !isShare && values?.better === 'lower');
  if (typeof meant === 'string') return cannotJudge(scoreName(key), meant);
  const { own, others } = sortErrors(name, run, base);
  const errors = ignoresErrors === true ? noErrors : own;
  const counts = countScored(
    run,
    name,
    ({ passed, value }) => (isShare ? passed : value) !== undefined,
  );
  const judged = judgeChip(chip, { key, isShare, limit: meant, errors });
  const verdict = besideUnjudged(judged, 'it', counts);
  return ignoresErrors === true ? verdict : besideErrors(verdict, key, others);
}

const noErrors: OwnErrors = { count: 0, scored: [] };

const scaleOfShares: Scale = { low: 0, high: 1 };

/**
 * The limit as a value of the score, or what is wrong with it: on no scale, it would always or never be met. Values that
 * all happen to be from 0 to 1 may still be above a limit where lower is better, such as 2 seconds.
 */
function meantLimit(
  { limit, percent }: ScoreGate,
  scale = unbounded,
  isAtMost = false,
): number | string {
  const { low, high, isDeclared } = scale;
  const isOfOne = low === 0 && high === 1;
  if (percent && !isOfOne && !isDeclared) {
    return 'a percentage of it needs its scale: declare it with scores: { KEY: { scale: [0, 100] } }, or give a value';
  }
  const meant = percent ? low + limit * (high - low) : limit;
  if ((!isOfOne && !isDeclared) || (meant >= low && meant <= high)) return meant;
  if (isAtMost && !isDeclared && !percent) return meant;
  if (isDeclared) return `${limitGiven(limit, percent)} is not on its scale, ${low} to ${high}`;
  const given = limitGiven(limit, percent);
  const rest = scale === scaleOfShares ? '' : ', or declare another scale';
  if (limit < 0 || limit > 100 || percent) return `it is from 0 to 1, and the limit is ${given}`;
  return `it is from 0 to 1, and the limit is ${given}: write ${limit / 100} or ${limit}%${rest}`;
}

function limitGiven(limit: number, isPercent = false): string {
  return isPercent ? percent.limit(limit) : average.limit(limit);
}

function judgeChip(
  chip: ScoreChip,
  {
    key,
    isShare,
    limit,
    errors,
  }: Pick<ScoreGate, 'key' | 'limit'> & { readonly isShare: boolean; readonly errors: OwnErrors },
): GateVerdict {
  if (isShare) return judgeShare(chip, limit, errors);
  const values = chip.type === 'avg' ? chip : chip.values;
  return values === undefined
    ? cannotJudge(key, `no score ${chip.key} has a value`)
    : judgeMean(key, values, limit, errors);
}

type ScoreGate = Extract<Gate, { kind: 'score' }>;

type Values = Pick<ScoreChip & { readonly type: 'avg' }, 'avg' | 'count' | 'better'>;

function judgeMean(
  name: string,
  { avg, better, count }: Values,
  limit: number,
  errors: OwnErrors,
): GateVerdict {
  if (errors.count > 0) {
    const valued = errors.scored.filter(({ value }) => value !== undefined);
    const of = renderCount(count - valued.length + errors.count);
    const hint = '(--ignore-errors leaves them out)';
    return cannotJudge(
      `the mean of ${scoreName(name)}`,
      `${countOf(errors.count, 'error')} among ${of} ${hint}`,
    );
  }
  if (better !== 'lower') return compare(scoreName(name), avg, limit, average);
  const text = `${scoreName(name)} ${shown(avg, limit, average)}`;
  return avg <= limit + rounding
    ? { verdict: 'yes', text: `${text}, at most ${average.limit(limit)} asked for` }
    : { verdict: 'no', text: `${text} is over ${average.limit(limit)} (lower is better)` };
}

function judgeShare(chip: ScoreChip, atLeast: number, errors: OwnErrors): GateVerdict {
  const share = passedShare(chip);
  if (share === undefined) {
    const why = `no score ${chip.key} has passed or failed, its values have no threshold`;
    return cannotJudge(scoreName(chip.key), why);
  }
  const judged = errors.scored.filter((score) => score.passed !== undefined);
  const passed = share.passed - judged.filter((score) => score.passed).length;
  const total = share.total - judged.length + errors.count;
  const what = chip.type === 'ratio' ? scoreName(chip.key) : `${chip.key} passed`;
  const derived = chip.type === 'ratio' ? (chip.derived ?? 0) : 0;
  const note = derived === 0 ? [] : [`${countOf(derived, 'verdict')} of a threshold`];
  return compare(what, passed / total, atLeast, percent, ofText(passed, total, errors.count, note));
}

/** `(1 of 60; 59 errors)`. */
function ofText(passed: number, of: number, errors: number, notes: readonly string[] = []): string {
  const known = errors === 0 ? [] : [countOf(errors, 'error')];
  return `(${[`${renderCount(passed)} of ${renderCount(of)}`, ...known, ...notes].join('; ')})`;
}

function judgeCarried({ rows }: GatedRun): GateVerdict {
  const { regraded, carried } = originsOf(rows) ?? { regraded: 0, carried: 0 };
  const taken = regraded + carried;
  if (taken === 0) return { verdict: 'yes', text: 'no result is carried over' };
  const text = `${taken} of ${rows.length} results are carried over from other runs`;
  return { verdict: 'no', text };
}

function judgeCarriedWrongly(run: GatedRun): GateVerdict {
  const { verified } = run.summary();
  const { carried = 0 } = originsOf(run.rows) ?? {};
  if (verified === undefined) {
    return carried === 0
      ? { verdict: 'yes', text: 'no result is carried over' }
      : cannotJudge('what was carried', `none of ${countOf(carried, 'carried result')} ran again`);
  }
  const { results, unknown = 0, replaced = 0, differ = 0, rates = [] } = verified;
  const known = results - unknown - replaced;
  const of = `of ${countOf(known, 'carried result')} that ran again`;
  if (differ > 0) {
    const text = `${renderCount(differ)} ${of} ${differ === 1 ? 'differs' : 'differ'}`;
    return { verdict: 'no', text: `carried wrongly? ${text}` };
  }
  if (rates.length > 0) {
    const names = rates.map(({ evaluation }) => evaluation).join(', ');
    return { verdict: 'no', text: `carried wrongly? the rate differs beyond chance: ${names}` };
  }
  if (replaced > 0) {
    const text = `${countOf(replaced, 'result')} ran once more after a verification`;
    return cannotJudge('what was carried', text);
  }
  return known === 0
    ? cannotJudge('what was carried', 'what ran again has no result')
    : { verdict: 'yes', text: `none ${of} differs beyond chance` };
}

function judgeErrors({ counted: { totals }, unfinished }: Summary): GateVerdict {
  const { total_evaluations, total_pruned = 0, total_errors: errors } = totals;
  if (errors > 0) return { verdict: 'no', text: `${errors} ${errors === 1 ? 'error' : 'errors'}` };
  if (unfinished === 0) return { verdict: 'yes', text: 'no errors' };
  const all = total_evaluations - total_pruned;
  const finished = all - unfinished;
  const known = finished === 1 ? '1 result' : `${finished} results`;
  const text = `no errors in the ${known} of ${all} that ${finished === 1 ? 'has' : 'have'} finished`;
  return { verdict: 'yes', text };
}

function judgeFailures({ counted: { totals } }: Summary): GateVerdict {
  const { total_evaluations, total_pruned = 0, total_passed: passed } = totals;
  const all = total_evaluations - total_pruned;
  return passed === all
    ? { verdict: 'yes', text: `all ${all} passed` }
    : { verdict: 'no', text: `${all - passed} of ${all} did not pass` };
}
