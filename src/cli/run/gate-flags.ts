import { readFileSync } from 'node:fs';
import { Flags, type Interfaces } from '@oclif/core';
import { AssayError } from '../../errors.js';
import { parseCalibration } from '../../model/calibration/calibration-file.js';
import type { Capture } from '../../model/calls/model-call.js';
import { figures, isOfCalls } from '../../model/gates/judge-figure.js';
import { type BaselineGate, baselineGates, type Gate } from '../../model/gates/judge-gate.js';
import { nameText } from '../../text/name-text.js';
import { didYouMean } from '../../text/near-names.js';

const ownKinds = ['errors', 'failures', 'no-calls', 'carried', 'carried-wrongly'] as const;
/** The values of `--fail-on`. */
export const failOnKinds = [...ownKinds, ...baselineGates] as const;
export type FailOn = (typeof failOnKinds)[number];

const group = 'OUTCOME';

/** The flags that judge a run and report the verdicts, of commands that run evaluations or judge a saved run. */
export const gateFlags = {
  'fail-under': Flags.string({
    description:
      'Exit with 1 when the pass rate (0.8, 80%), a score (exact=0.9) or the share of it that passed (exact.passed=0.9) is lower.',
    multiple: true,
    multipleNonGreedy: true,
    delimiter: ',',
    helpGroup: group,
    helpValue: 'RATE',
  }),
  'fail-over': Flags.string({
    description:
      'Exit with 1 when a figure is over its limit: cost=2 (US dollars), cost.evaluators=1, cost.total=5 (with what carried and replayed results cost), tokens=1M, calls=500, latency.p95=10 (seconds).',
    multiple: true,
    multipleNonGreedy: true,
    delimiter: ',',
    helpGroup: group,
    helpValue: 'FIGURE=LIMIT',
  }),
  'fail-on': Flags.option({
    description:
      'Exit with 1 when there are any; carried-wrongly needs --verify, the last three --baseline.',
    options: failOnKinds,
    multiple: true,
    multipleNonGreedy: true,
    delimiter: ',',
    helpGroup: group,
  })(),
  baseline: Flags.string({
    description: 'Compare with this run or baseline file afterwards.',
    helpGroup: group,
    helpValue: 'RUN',
  }),
  'ignore-errors': Flags.boolean({
    description:
      'Leave errors out of the comparison with the baseline, and of scores that --fail-under names.',
    helpGroup: group,
    relationships: [{ type: 'some', flags: ['baseline', 'fail-under'] }],
  }),
  corrected: Flags.string({
    description:
      'Judge scores of --fail-under by the rate that people would pass, by this file of assay sessions calibration -o.',
    helpGroup: group,
    helpValue: 'FILE',
    dependsOn: ['fail-under'],
  }),
  bless: Flags.string({
    description: 'Write a baseline file, unless a gate fails.',
    helpGroup: group,
    helpValue: 'FILE',
    exclusive: ['list'],
  }),
  comment: Flags.string({
    description:
      'Write a Markdown comment for a pull request: verdict, figures, regressions. Its first line is a hidden mark by which CI replaces it.',
    helpGroup: group,
    helpValue: 'FILE',
    exclusive: ['list'],
  }),
  reporter: Flags.string({
    description: 'Also report to CI: github, junit for stdout, or junit=FILE.',
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: group,
    helpValue: 'NAME[=FILE]',
    exclusive: ['list'],
  }),
};

/** Parsed flags of gates. */
export type GateFlags = Readonly<Interfaces.InferredFlags<typeof gateFlags>>;

/** The gates of a command. */
export interface ParsedGates {
  /** Gates that judge the run alone. */
  readonly own: readonly Gate[];
  /** Gates that judge the run against its baseline. */
  readonly baseline: readonly BaselineGate[];
}

/**
 * Parses the gates of `--fail-under`, `--fail-over` and `--fail-on`. Errors: `usage` for an invalid rate or limit, for a gate that
 * needs a baseline if there is none, and for a calibration that cannot be read; those of `parseCalibration`.
 */
export function parseGates(
  flags: {
    readonly 'fail-under'?: readonly string[] | undefined;
    readonly 'fail-over'?: readonly string[] | undefined;
    readonly 'fail-on'?: readonly string[] | undefined;
    readonly baseline?: string | undefined;
    readonly 'ignore-errors'?: boolean | undefined;
    readonly corrected?: string | undefined;
  },
  capture: Capture = 'full',
): ParsedGates {
  const failOn = new Set(flags['fail-on'] ?? []);
  const baseline = baselineGates.filter((kind) => failOn.has(kind));
  if (baseline.length > 0 && flags.baseline === undefined) {
    throw new AssayError('usage', `--fail-on ${baseline.join(',')} needs a baseline.`, {
      hints: ['Name a run or a baseline file: --baseline RUN'],
    });
  }
  const kinds = ownKinds.filter((kind) => failOn.has(kind));
  const under = (flags['fail-under'] ?? []).map((given) =>
    parseFailUnder(given, flags['ignore-errors']),
  );
  const own = [
    ...(flags.corrected === undefined ? under : withCorrected(under, flags.corrected)),
    ...(flags['fail-over'] ?? []).map(parseFailOver),
    ...kinds.map((kind): Gate => ({ kind })),
  ];
  if (capture === 'off' && own.some(needsCalls)) {
    throw new AssayError(
      'usage',
      'A gate on calls needs to see them, and the setting capture is off.',
      {
        hints: ['Set capture to usage, which stores numbers without text.'],
      },
    );
  }
  return { own, baseline };
}

/** Gates of scores with the calibration of their judges. Errors: `usage` if there is no such file, or no score to correct. */
function withCorrected(gates: readonly Gate[], file: string): Gate[] {
  if (!gates.some(({ kind }) => kind === 'score')) {
    throw new AssayError('usage', '--corrected needs a score to correct.', {
      hints: ['Name it: --fail-under correctness=0.9 --corrected FILE'],
    });
  }
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const message = `The calibration ${nameText(file)} cannot be read.`;
    throw new AssayError('usage', message, {
      cause: error,
      hints: ['assay sessions calibration RUN -o FILE writes one.'],
    });
  }
  const corrected = parseCalibration(text, nameText(file));
  return gates.map((gate) => (gate.kind === 'score' ? { ...gate, corrected } : gate));
}

function parseFailUnder(given: string, ignoresErrors = false): Gate {
  const at = given.lastIndexOf('=');
  if (at === -1) return { kind: 'pass-rate', atLeast: parsePassRate(given) };
  const key = given.slice(0, at);
  if (key === '') throw notARate(given);
  const limit = parseLimit(given.slice(at + 1), given);
  return { kind: 'score', key, ...limit, ...(ignoresErrors && { ignoresErrors }) };
}

function parsePassRate(given: string): number {
  const { limit } = parseLimit(given, given);
  if (limit < 0 || limit > 1) throw notARate(given, limit);
  return limit;
}

/** Parses `0.8` or `80%`; averages of scores may be larger than 1. */
function parseLimit(text: string, given: string): { limit: number; percent?: true } {
  const [, digits, percent] = /^(-?\d+(?:\.\d+)?|-?\.\d+)\s*(%?)$/.exec(text.trim()) ?? [];
  if (digits === undefined) throw notARate(given);
  return percent === '%'
    ? { limit: Number(digits) / 100, percent: true }
    : { limit: Number(digits) };
}

function needsCalls(gate: Gate): boolean {
  return gate.kind === 'no-calls' || (gate.kind === 'figure' && isOfCalls(gate.figure));
}

/** Parses `cost=2` or `tokens=1.5M`. */
function parseFailOver(given: string): Gate {
  const [, name = '', number, unit = ''] =
    /^([^=]+)=(\d+(?:\.\d+)?|\.\d+)([kM]?)$/.exec(given) ?? [];
  const figure = figures.find((one) => one === name);
  const isCount = /^(tokens|calls)/.test(name);
  if (figure !== undefined && number !== undefined && (isCount || unit === '')) {
    return { kind: 'figure', figure, atMost: Number(number) * (sizes[unit] ?? 1) };
  }
  const near = figure === undefined && name !== '' ? didYouMean(name, figures) : undefined;
  throw new AssayError(
    'usage',
    `--fail-over takes a figure and its limit, not ${JSON.stringify(given)}.`,
    {
      hints: [near ?? 'Such as cost=2, cost.evaluators=1, tokens=1M, calls=500 or latency.p95=10.'],
    },
  );
}

const sizes: Readonly<Record<string, number>> = { k: 1e3, M: 1e6 };

function notARate(given: string, rate = 0): AssayError {
  const isPercent = rate >= 2 && rate <= 100;
  const isName = /^[^\W\d]{2}[^=]*$/.test(given);
  return new AssayError('usage', `--fail-under takes a rate, not ${JSON.stringify(given)}.`, {
    hints: [
      ...(isPercent ? [`Did you mean ${rate / 100} or ${rate}%?`] : []),
      ...(isName ? ['Write a comma in the name of a score as \\,.'] : []),
      'Such as 0.8 or 80% for the pass rate, exact=0.9 for one score.',
    ],
  });
}
