import { AssayError } from '../../errors.js';
import { type BaselineGate, baselineGates, type Gate } from '../../model/gates.js';

/** The values of `--fail-on`. */
export const failOnKinds = ['errors', 'failures', ...baselineGates] as const;

/** The gates of a command. */
export interface Gates {
  /** Gates that judge the run alone. */
  readonly own: readonly Gate[];
  /** Gates that judge the run against its baseline. */
  readonly baseline: readonly BaselineGate[];
}

/**
 * Parses the gates of `--fail-under` and `--fail-on`. Errors: `usage` for an invalid rate, and for a gate that
 * needs a baseline if there is none.
 */
export function parseGates(flags: {
  readonly 'fail-under'?: readonly string[] | undefined;
  readonly 'fail-on'?: readonly string[] | undefined;
  readonly baseline?: string | undefined;
}): Gates {
  const failOn = new Set(flags['fail-on'] ?? []);
  const baseline = baselineGates.filter((kind) => failOn.has(kind));
  if (baseline.length > 0 && flags.baseline === undefined) {
    throw new AssayError('usage', `--fail-on ${baseline.join(',')} needs a baseline.`, {
      hints: ['Name a run or a baseline file: --baseline RUN'],
    });
  }
  const kinds = (['errors', 'failures'] as const).filter((kind) => failOn.has(kind));
  return {
    own: [
      ...(flags['fail-under'] ?? []).map(parseFailUnder),
      ...kinds.map((kind): Gate => ({ kind })),
    ],
    baseline,
  };
}

function parseFailUnder(given: string): Gate {
  const at = given.lastIndexOf('=');
  if (at === -1) return { kind: 'pass-rate', atLeast: parseRate(given, given, 1) };
  const key = given.slice(0, at);
  if (key === '') throw notARate(given);
  return { kind: 'score', key, limit: parseRate(given.slice(at + 1), given) };
}

/** Parses `0.8` or `80%`; averages of scores may be larger than 1. */
function parseRate(text: string, given: string, most = Number.POSITIVE_INFINITY): number {
  const [, digits, percent] = /^(-?\d+(?:\.\d+)?|-?\.\d+)\s*(%?)$/.exec(text.trim()) ?? [];
  if (digits === undefined) throw notARate(given);
  const rate = percent === '%' ? Number(digits) / 100 : Number(digits);
  if (rate > most || (most === 1 && rate < 0)) throw notARate(given);
  return rate;
}

function notARate(given: string): AssayError {
  return new AssayError('usage', `--fail-under takes a rate, not ${JSON.stringify(given)}.`, {
    hints: ['Such as 0.8 or 80% for the pass rate, exact=0.9 for one score.'],
  });
}
