import { expect } from 'chai';
import stringWidth from 'string-width';
import {
  type RunLine,
  renderRuns,
  renderSessions,
  renderSparkline,
  type SessionLine,
} from '../../../src/cli/sessions/session-tables.js';
import { wilsonInterval } from '../../../src/statistics/wilson-interval.js';

const now = new Date(2026, 10, 20, 15, 0, 0).getTime();
const ago = (minutes: number) => now - minutes * 60_000;

const session = (name: string, run: string, passed: number): SessionLine => ({
  session_name: name,
  runs: 7,
  last_run: { run_name: run, pass_rate: wilsonInterval(passed, 1000) },
  lastStart: ago(4),
  pass_rates: [null, wilsonInterval(100, 1000), wilsonInterval(passed, 1000)],
});

const sessions = [
  session('feature/refunds', 'brisk-otter', 741),
  session('日本語のとても長い名前の集まり', 'a run that has a long name of its own', 999),
];

const run = (change: Partial<RunLine>): RunLine => ({
  run_id: '3f9a0c12be77',
  run_name: 'brisk-otter',
  start: ago(4),
  total_evaluations: 1000,
  total_passed: 741,
  total_errors: 0,
  pass_rate: { passed: 741, total: 1000, ...wilsonInterval(741, 1000) },
  state: 'finished',
  config_name: 'default',
  ...change,
});

describe('renderSessions', () => {
  it('shows everything when there is room', () => {
    expect(renderSessions(sessions.slice(0, 1), { now })).to.equal(
      [
        '  session           runs   last run      started         pass rate    95 %',
        '  feature/refunds      7   brisk-otter   4 minutes ago   74.1 % ·▁▆   71.3–76.7',
      ].join('\n'),
    );
  });

  it('leaves out and cuts what does not fit 60 columns', () => {
    expect(renderSessions(sessions, { now, width: 60 })).to.equal(
      [
        '  session                 runs   started         pass rate',
        '  feature/refunds            7   4 minutes ago   74.1 % ·▁▆',
        '  日本語のとても長い名…      7   4 minutes ago   99.9 % ·▁▇',
      ].join('\n'),
    );
  });

  for (const width of [60, 70, 80, 100]) {
    it(`has no line of more than ${width} columns when there are no more`, () => {
      const widths = renderSessions(sessions, { now, width })
        .split('\n')
        .map((line) => stringWidth(line));
      expect(Math.max(...widths)).to.be.at.most(width);
    });
  }
});

describe('renderRuns', () => {
  it('drops first what is the same in every line', () => {
    const runs = [run({}), run({ run_name: 'x'.repeat(100), total_errors: 0, pass_rate: null })];
    const [head, , second] = renderRuns(runs, { now, width: 80 }).split('\n');
    expect(head).to.equal(
      '  run                    id             started               passed   pass rate',
    );
    expect(second).to.equal(
      '  xxxxxxxxxxxxxxxxxxx…   3f9a0c12be77   4 minutes ago                          –',
    );
  });

  it('keeps the state when a run was interrupted, and errors when there are any', () => {
    const odd = run({ state: 'interrupted' });
    expect(renderRuns([odd], { now, width: 80 })).to.include('interrupted');
    expect(renderRuns([run({ total_errors: 3 })], { now, width: 80 })).to.include('errors');
  });
});

describe('renderSparkline', () => {
  it('goes from the lowest to the highest bar and marks what has no rate', () => {
    const rates = [0, 0.2, 0.3, 0.5, 0.6, 0.8, 1].map((estimate) => ({
      estimate,
      low: null,
      high: null,
    }));
    expect(renderSparkline([...rates, null])).to.equal('▁▂▃▄▅▆▇·');
  });
});
