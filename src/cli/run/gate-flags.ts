import { Flags, type Interfaces } from '@oclif/core';
import { failOnKinds } from './parse-gates.js';

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
  bless: Flags.string({
    description: 'Write a baseline file, unless a gate fails.',
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
