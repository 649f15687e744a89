import { expect } from 'chai';
import type { TrendFigure } from '../../../ui/src/api/schema.js';
import { changeOf, partsOf } from '../../../ui/src/trends/trend-series.js';
import { isListed, parseTrendsView, renderTrendsView } from '../../../ui/src/trends/view-state.js';

function figureOf(estimate: number, beyond_chance: boolean, more: Partial<TrendFigure> = {}) {
  const difference = { estimate, low: null, high: null };
  const step = { pairs: 9, difference, p: 0.01, p_adjusted: 0.01, among: 1, beyond_chance };
  return { estimate: 0.5, low: null, high: null, limits: null, step, ...more } as TrendFigure;
}

describe('the line of a trend', () => {
  it('joins runs on it across those beside it, and breaks where one lacks the figure', () => {
    const runs = [true, false, true, true, true].map((on_line) => ({ on_line }));
    expect(partsOf(['a', 'b', 'c', null, 'e'], runs)).to.deep.equal([
      [
        [0, 'a'],
        [2, 'c'],
      ],
      [[4, 'e']],
    ]);
    expect(partsOf([null, 'b'], runs)).to.deep.equal([]);
  });

  it('has an arrow and a verdict only where a change is beyond chance', () => {
    const rate = { key: null, type: 'ratio', name: 'pass rate', better: 'higher' } as const;
    const tokens = { key: 'tokens', type: 'avg', name: 'tokens', better: 'lower' } as const;
    expect(changeOf(figureOf(-0.08, true), rate)).to.deep.equal({
      ...{ text: '▼ −8.0', to: 'down', verdict: 'worse' },
    });
    expect(changeOf(figureOf(0.02, false), rate)).to.deep.equal({ text: '+2.0', to: 'up' });
    expect(changeOf(figureOf(-20, true, { is_p50: true }), tokens)).to.deep.equal({
      ...{ text: '▼ mean −20', to: 'down', verdict: 'better' },
    });
    expect(changeOf(figureOf(0, false, { step: null }), rate)).to.equal(undefined);
  });
});

describe('the address of trends', () => {
  it('is the same after reading it, and has nothing that is usual', () => {
    expect(renderTrendsView(parseTrendsView(''))).to.equal('');
    const search = '?runs=12&line=careful&baseline=a1&config=%21careful&change=slow+drift';
    expect(renderTrendsView(parseTrendsView(search))).to.equal(search);
    expect(parseTrendsView('?runs=13').size).to.equal('50');
  });

  it('filters runs by config and by what there is to say of any of their figures', () => {
    const run = {
      config_name: 'default',
      on_line: true,
      figures: [figureOf(0, false), figureOf(0.2, true)],
    } as never;
    const lists = (search: string) => isListed(run, parseTrendsView(search));
    expect(lists('')).to.equal(true);
    expect(lists('?config=default&change=beyond+chance')).to.equal(true);
    expect(lists('?config=careful')).to.equal(false);
    expect(lists('?change=%21beyond+chance')).to.equal(false);
    expect(lists('?change=slow+drift&change=not+on+the+line')).to.equal(false);
  });
});
