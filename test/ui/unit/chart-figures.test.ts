import { expect } from 'chai';
import {
  type ChartFigure,
  figureAxis,
  isWithin,
  placesOf,
  queryAround,
  rangeBetween,
  rangeOf,
  withRange,
} from '../../../ui/src/dashboard/chart/chart-figures.js';
import { defaultView, parseView, renderView } from '../../../ui/src/dashboard/view-state.js';

describe('figures of a chart', () => {
  it('have ranges that are filters, beside the other filters', () => {
    const view = parseView('?score=exact:failed&score=size:..9&cost=unknown');
    const cases: [ChartFigure, string][] = [
      ['cost', '?score=exact%3Afailed&score=size%3A..9&cost=unknown&cost=1..2'],
      ['score:size', '?score=exact%3Afailed&score=size%3A1..2&cost=unknown'],
    ];
    for (const [figure, address] of cases) {
      const next = withRange(view, figure, { from: 1, to: 2 });
      expect(renderView(next)).to.equal(address);
      expect(rangeOf(next, figure)).to.deep.equal({ from: 1, to: 2 });
      expect(rangeOf(withRange(next, figure, undefined), figure)).to.equal(undefined);
    }
    expect(rangeOf(view, 'score:size')).to.deep.equal({ from: undefined, to: 9 });
    expect(rangeOf(view, 'latency')).to.equal(undefined);
    expect(queryAround(view, ['score:size', 'cost'])).to.equal('score=exact%3Afailed&cost=unknown');
    const open = withRange(defaultView, 'cost', { from: undefined, to: undefined });
    expect(open).to.deep.equal(defaultView);
  });

  it('have axes: shares from 0 to 1, other scores in round steps, the rest logarithmic', () => {
    const named = (figure: ChartFigure, values: readonly number[]) =>
      figureAxis(figure, values)
        .ticks.filter(({ isNamed }) => isNamed)
        .map(({ value }) => value);
    expect(named('score:a', [0.2, 0.9])).to.include.members([0, 0.5, 1]);
    expect(named('score:a', [-3, 17])).to.deep.equal([-5, 0, 5, 10, 15, 20]);
    expect(named('score:a', [4, 4])).to.include(4);
    expect(named('cost', [0.003, 0.04])).to.deep.equal([0.002, 0.005, 0.01, 0.02, 0.05]);
    expect(named('latency', [])).to.not.be.empty;
  });

  it('select what lies between two places, and all beyond the ends of an axis', () => {
    const axis = figureAxis('score:a', [0, 1]);
    expect(rangeBetween(axis, 0.75, 0.25)).to.deep.equal({ from: 0.25, to: 0.75 });
    expect(rangeBetween(axis, 0.5, 1)).to.deep.equal({ from: 0.5, to: undefined });
    expect(placesOf(axis, { from: 0.25, to: undefined })).to.deep.equal([0.25, 1]);
    expect(
      [0.24, 0.25, 0.75].map((value) => isWithin({ from: 0.25, to: 0.75 }, value)),
    ).to.deep.equal([...[false, true, false]]);
  });
});
