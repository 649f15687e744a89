import type { Summary } from './summary.js';

/** What must hold of a run for its command to exit with 0. */
export type Gate =
  /** The pass rate, from 0 to 1, must not be lower. */
  | { readonly kind: 'pass-rate'; readonly atLeast: number }
  /** The ratio or average of a score must not be lower. */
  | { readonly kind: 'score'; readonly key: string; readonly atLeast: number }
  /** No result may be an error. */
  | { readonly kind: 'errors' }
  /** Every result must have passed. */
  | { readonly kind: 'failures' };

/** What must hold of a run against its baseline. */
export const baselineGates = ['regression', 'new-failures', 'missing'] as const;
export type BaselineGate = (typeof baselineGates)[number];

/** What a gate says about a run. */
export interface GateVerdict {
  readonly verdict: 'yes' | 'no' | 'cannot-tell';
  readonly text: string;
}

/** Holds a gate against a run. */
export function judgeGate(gate: Gate, summary: Summary): GateVerdict {
  switch (gate.kind) {
    case 'pass-rate':
      return judgePassRate(gate.atLeast, summary);
    case 'score':
      return judgeScore(gate.key, gate.atLeast, summary);
    case 'errors':
      return judgeErrors(summary);
    default:
      return judgeFailures(summary);
  }
}

function judgePassRate(atLeast: number, { verdicts }: Summary): GateVerdict {
  if (verdicts.of === 0) {
    return {
      verdict: 'cannot-tell',
      text: 'no result has a verdict, so there is no pass rate to hold --fail-under against',
    };
  }
  const rate = verdicts.passed / verdicts.of;
  return compare(`pass rate ${percent(rate)}`, rate, atLeast, percent);
}

function judgeScore(key: string, atLeast: number, { score_chips }: Summary): GateVerdict {
  const chip = score_chips.find((one) => one.key === key);
  if (chip === undefined) {
    const known = score_chips.map((one) => one.key).join(', ') || 'none';
    return { verdict: 'cannot-tell', text: `no result has a score ${key}; there are: ${known}` };
  }
  if (chip.type === 'ratio') {
    const rate = chip.passed / chip.total;
    return compare(`${key} ${percent(rate)}`, rate, atLeast, percent);
  }
  return compare(`${key} ${number(chip.avg)} on average`, chip.avg, atLeast, number);
}

function judgeErrors({ totals }: Summary): GateVerdict {
  const { total_errors: errors } = totals;
  return errors === 0
    ? { verdict: 'yes', text: 'no errors' }
    : { verdict: 'no', text: `${errors} ${errors === 1 ? 'error' : 'errors'}` };
}

function judgeFailures({ totals }: Summary): GateVerdict {
  const { total_evaluations: all, total_passed: passed } = totals;
  return passed === all
    ? { verdict: 'yes', text: `all ${all} passed` }
    : { verdict: 'no', text: `${all - passed} of ${all} did not pass` };
}

function compare(
  what: string,
  value: number,
  atLeast: number,
  render: (value: number) => string,
): GateVerdict {
  // What was counted is a quotient: a limit that is met exactly must not fail by its last binary digit.
  return value >= atLeast - 1e-12
    ? { verdict: 'yes', text: `${what}, at least ${render(atLeast)} asked for` }
    : { verdict: 'no', text: `${what} is under ${render(atLeast)}` };
}

function percent(rate: number): string {
  return `${Number((rate * 100).toFixed(2))} %`;
}

function number(value: number): string {
  return String(Number(value.toFixed(4)));
}
