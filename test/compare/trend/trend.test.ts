import { expect } from 'chai';
import { figuresOf } from '../../../src/compare/cases/case-figures.js';
import type { EvalCase } from '../../../src/compare/cases/eval-case.js';
import { compareCases } from '../../../src/compare/compare-cases.js';
import { type TrendPoint, trendOf } from '../../../src/compare/trend/trend.js';
import { comparableOf, type ListedRun } from '../../../src/store/listing/run-json.js';
import { rowFacts } from '../../model/row-facts.js';
import { passed } from '../eval-cases.js';

interface Given {
  /** How many of 40 cases fail; the first ones. */
  readonly failed: number;
  readonly config?: string;
  readonly state?: ListedRun['state'];
  readonly cluster?: string;
  /** The run whose results all of these are. */
  readonly of?: string;
}

const size = 40;

function pointOf(name: string, { failed, config = 'default', state = 'finished', ...more }: Given) {
  const cases = Array.from({ length: size }, (_, at) =>
    passed(`c${at}`, at < failed ? 0 : 1, 1, {
      draw: `${more.of ?? name} ${at}`,
      graded: `${more.of ?? name} ${at}`,
      ...(more.cluster && { cluster: `${at % 10}` }),
    }),
  );
  const run = {
    ...{ run_id: name, run_name: name, config_name: config, state, started_at: 0 },
    total_evaluations: size,
    comparable: comparableOf(
      cases.map(({ id }) => rowFacts({ id })),
      'p',
    ),
  } as ListedRun;
  const sum = Float64Array.from(cases, ({ passes }) => passes);
  const values = { count: new Uint32Array(size).fill(1), sum, squares: sum };
  const facts = {
    ...{ figures: figuresOf(cases), cost: null, p95: null, corrected: [] },
    ids: cases.map(({ id }) => id),
    attempts: cases.map(({ draw }) => draw),
    values: new Map([
      ['pass rate', values],
      ['ratio correctness', values],
    ]),
  };
  return { cases, point: { run, facts } };
}

/** The trend of runs `r0`, `r1` … , oldest first; each of the default config is compared with the one before. */
function trendOfRuns(given: readonly Given[], more: { config?: string; baseline?: string } = {}) {
  let before: readonly EvalCase[] | undefined;
  const points = given.map((one, at): TrendPoint => {
    const { cases, point } = pointOf(`r${at}`, one);
    const step = before && compareCases(before, cases).summary;
    before = cases;
    return { ...point, step };
  });
  const runs = points.map(({ run }) => run).reverse();
  return trendOf({ session_name: 's', runs, points, unreadable: [], ...more });
}

const steady = (count: number): Given[] =>
  // The failing cases vary by one from run to run.
  Array.from({ length: count }, (_, at) => ({ failed: 8 + (at % 2) }));

describe('a trend', () => {
  it('joins finished runs of one config, and says why others are apart', () => {
    const trend = trendOfRuns([
      { failed: 1 },
      { failed: 1, config: 'nano' },
      { failed: 1, state: 'interrupted' },
      { failed: 1 },
      { failed: 1, state: 'running' },
    ]);
    expect(trend.runs.map(({ on_line }) => on_line)).to.deep.equal([
      ...[true, false, false, true, false],
    ]);
    expect(trend.runs[3]?.previous?.run_id).to.equal('r0');
    expect(trend.runs[1]?.no_previous).to.equal('no earlier run of config nano');
    expect(trendOfRuns([{ failed: 1 }, { failed: 1, config: 'nano' }]).config_name).to.equal(
      'nano',
    );
  });

  it('has one run, or none that has finished', () => {
    const [one] = [trendOfRuns([{ failed: 4 }])];
    expect(one.runs[0]?.figures[0]).to.include({ estimate: 0.9, passed: 36, of: 40, step: null });
    const none = trendOfRuns([{ failed: 4, state: 'running' }]);
    expect([none.config_name, none.baseline, none.runs[0]?.on_line]).to.deep.equal([
      ...[null, null, false],
    ]);
  });

  it('has limits once each case has five values, and tells what lies outside', () => {
    const trend = trendOfRuns([...steady(7), { failed: 30 }]);
    const rates = trend.runs.map(({ figures }) => figures[0]);
    expect(rates.map((rate) => rate?.limits !== null)).to.deep.equal([
      ...[false, false, false, false, false, true, true, true],
    ]);
    expect(rates.map((rate) => rate?.outside)).to.deep.equal([
      ...Array.from({ length: 7 }, () => undefined),
      'below',
    ]);
    expect(rates.at(-1)?.step?.beyond_chance).to.equal(true);
    expect(trend.baseline?.run_id).to.equal('r0');
    const later = trendOfRuns(steady(7), { baseline: 'r3' });
    expect(later.baseline?.run_id).to.equal('r3');
    expect(later.runs.every(({ figures }) => figures[0]?.limits === null)).to.equal(true);
  });

  it('refuses a baseline that the line does not join', () => {
    expect(() => trendOfRuns(steady(3), { baseline: 'r9' })).to.throw(
      'r9 is not on the line of the trend, so it cannot be its baseline.',
    );
  });

  it('marks a slow drift that no step shows', () => {
    const sliding = Array.from({ length: 16 }, (_, at) => ({ failed: 9 + at }));
    const rates = trendOfRuns([...steady(6), ...sliding]).runs.map(({ figures }) => figures[0]);
    expect(rates.some((rate) => rate?.step?.beyond_chance)).to.equal(false);
    expect(rates.map((rate) => rate?.drift).filter((drift) => drift !== undefined)).to.include(
      'down',
    );
    const calm = trendOfRuns(steady(30)).runs.flatMap(({ figures }) => figures[0]?.drift ?? []);
    expect(calm).to.deep.equal([]);
  });

  it('takes no result that was carried over for a new one', () => {
    const carried = { failed: 8, of: 'r0' };
    const trend = trendOfRuns([{ failed: 8 }, ...Array.from({ length: 7 }, () => carried)]);
    expect(trend.runs.every(({ figures }) => figures[0]?.limits === null)).to.equal(true);
  });

  it('has no limits where cases share clusters', () => {
    const trend = trendOfRuns(steady(7).map((one) => ({ ...one, cluster: 'c' })));
    expect(trend.no_limits).to.include('cases share clusters');
    expect(trend.runs.at(-1)?.figures[0]?.limits).to.equal(null);
  });
});
