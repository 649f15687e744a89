import { expect } from 'chai';
import { logAxis, shareAxis } from '../../../ui/src/matrix/scatter-scale.js';
import {
  parseMatrixView,
  renderCasesQuery,
  renderMatrixView,
} from '../../../ui/src/matrix/view-state.js';

describe('the axes of the matrix', () => {
  const named = (...values: number[]) =>
    logAxis(values)
      .ticks.filter(({ isNamed }) => isNamed)
      .map(({ value }) => Number(value.toPrecision(6)));

  it('go from 1, 2 or 5 times a power of ten to the next one, with all values inside', () => {
    expect(named(0.0014, 0.0083)).to.deep.equal([0.001, 0.002, 0.005, 0.01]);
    expect(named(3, 3)).to.deep.equal([2, 5]);
    expect(named(1, 100)).to.deep.equal([0.5, 1, 2, 5, 10, 20, 50, 100, 200]);
    const { at } = logAxis([0.0014, 0.0083]);
    expect([at(0.001), at(0.01)].map(Math.round)).to.deep.equal([0, 1]);
  });

  it('go by tenths of a share around the intervals, and not beyond 0 and 1', () => {
    const values = (least: number, most: number) =>
      shareAxis(least, most).ticks.map(({ value }) => value);
    expect(values(0.596, 0.899)).to.deep.equal([0.5, 0.6, 0.7, 0.8, 0.9]);
    expect(values(0.3, 0.3)).to.deep.equal([0.3, 0.4]);
    expect(values(0.95, 1)).to.deep.equal([0.9, 1]);
    expect(values(0, 0)).to.deep.equal([0, 0.1]);
    expect(values(1, 1)).to.deep.equal([0.9, 1]);
  });
});

describe('the address of the matrix', () => {
  it('keeps runs, filters and what cells show, and ignores what is not valid', () => {
    const view = parseMatrixView('?run=a&run=b&run=a&dataset=x&differ=true&show=score%3Aexact');
    expect(view).to.deep.include({ runs: ['a', 'b'], differ: true, show: 'score:exact' });
    const again = renderMatrixView(view);
    expect(again).to.equal('?run=a&run=b&differ=true&dataset=x&show=score%3Aexact');
    expect(parseMatrixView(again)).to.deep.equal(view);
    expect(renderCasesQuery(view)).to.equal('run=a&run=b&differ=true&dataset=x&shown_score=exact');
    expect(parseMatrixView('?run=a&differ=maybe&show=colour')).to.deep.include({
      differ: undefined,
      show: 'verdict',
    });
    const many = Array.from({ length: 13 }, (_, n) => `run=${n}`).join('&');
    expect(parseMatrixView(many).runs).to.have.length(12);
  });
});
