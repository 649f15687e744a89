import { expect } from 'chai';
import {
  changeStanding,
  cycleChanges,
  cycleDifference,
  hasCell,
  isFilteredComparison,
  moveRun,
  parseCompareView,
  renderCompareView,
  renderPairQuery,
  toggleCell,
  withoutCompareFilters,
  withoutDifference,
  withRuns,
} from '../../../ui/src/compare/view-state.js';
import { noChoice } from '../../../ui/src/dashboard/view-state.js';
import { scoreDifferenceHref } from '../../../ui/src/result/addresses.js';

const parse = parseCompareView;

describe('view state of a comparison', () => {
  it('everything survives the way through the URL', () => {
    const url =
      '?run=a&run=b&change=regressed&change=fixed%3A1&change=%21same&difference=score%3Aa%3Ab%3Alower&difference=latency%3A%3E%3D0.5&difference=%21cost%3Aother&search=x+%26+y&dataset=orders&label=%21slow&sort=score%3Aexact&order=desc&diff=off';
    expect(renderCompareView(parse(url))).to.equal(url);
    expect(parse(url).changes).to.deep.equal({
      include: ['regressed', 'fixed:1'],
      exclude: ['same'],
    });
  });

  it('goes through the differences of a measure, and leaves out rules it does not know', () => {
    const of = (query: string) => parse(`?run=a&run=b&${query}`).differences;
    expect(of('difference=index:lower&difference=latency:worse&difference=cost:>=x')).to.deep.equal(
      noChoice,
    );
    let choice = of('difference=latency:>=2');
    const steps = Array.from({ length: 5 }, () => {
      choice = cycleDifference(choice, 'latency');
      return choice.include;
    });
    expect(steps).to.deep.equal([
      ['latency:other'],
      ['latency:lower'],
      ['latency:higher'],
      [],
      ['latency:other'],
    ]);
    expect(
      withoutDifference(of('difference=!cost:other&difference=cost:<=-1'), 'cost:other'),
    ).to.deep.equal({ include: ['cost:<=-1'], exclude: [] });
    const view = parse(new URL(`http://x${scoreDifferenceHref(['a', 'b'], 'x:y')}`).search);
    expect(isFilteredComparison(view)).to.equal(true);
    expect(view).to.deep.include({ runs: ['a', 'b'], sort: 'score:x:y' });
    expect(view.differences.include).to.deep.equal(['score:x:y:other']);
    expect(withoutCompareFilters(view).differences).to.deep.equal(noChoice);
  });

  it('takes four runs at most, and none twice', () => {
    expect(parse('?run=a&run=b&run=a&run=c&run=d&run=e').runs).to.deep.equal(['a', 'b', 'c', 'd']);
    expect(parse('?run=').runs).to.deep.equal([]);
  });

  it('leaves out changes it does not know, and those in runs that are not there', () => {
    const { changes } = parse('?run=a&run=b&change=better&change=fixed:2&change=!regressed:1');
    expect(changes).to.deep.equal({ include: [], exclude: ['regressed:1'] });
  });

  it('asks the API for what regressed first', () => {
    expect(renderPairQuery(parse('?run=a&run=b&diff=off'))).to.equal('run=a&run=b&sort=change');
    expect(renderPairQuery(parse('?run=a&run=b&sort=latency&order=desc'))).to.equal(
      'run=a&run=b&sort=latency&order=desc',
    );
  });

  it('clears filters and search, and keeps runs and order', () => {
    const view = parse('?run=a&run=b&change=fixed&search=x&flaky=true&sort=latency');
    expect(isFilteredComparison(view)).to.equal(true);
    const clear = withoutCompareFilters(view);
    expect(isFilteredComparison(clear)).to.equal(false);
    expect(renderCompareView(clear)).to.equal('?run=a&run=b&sort=latency');
  });

  it('filters by one run go with that run', () => {
    const view = parse('?run=a&run=b&run=c&change=fixed:2&change=!same:1&change=regressed');
    const turned = withRuns(view, ['a', 'c', 'b']).changes;
    expect(turned).to.deep.equal({ include: ['fixed:1', 'regressed'], exclude: ['same:2'] });
    expect(withRuns(view, ['c', 'a', 'b']).changes.include).to.deep.equal(['regressed']);
    expect(withRuns(view, ['a', 'b']).changes.include).to.deep.equal(['regressed']);
  });

  it('moves a run', () => {
    expect(moveRun(['a', 'b', 'c'], 2, 0)).to.deep.equal(['c', 'a', 'b']);
    expect(moveRun(['a', 'b', 'c'], 0, 1)).to.deep.equal(['b', 'a', 'c']);
  });

  it('cells of all runs are the change itself, and one of them is taken away alone', () => {
    const one = toggleCell(noChoice, ['regressed'], 1, 3);
    expect(one.include).to.deep.equal(['regressed:1']);
    const all = toggleCell(one, ['regressed'], 2, 3);
    expect(all.include).to.deep.equal(['regressed']);
    expect(hasCell(all, 'regressed', 2)).to.equal(true);
    expect(toggleCell(all, ['regressed'], 1, 3).include).to.deep.equal(['regressed:2']);
    expect(toggleCell(noChoice, ['only_base', 'only_other'], 1, 2).include).to.deep.equal([
      'only_base',
      'only_other',
    ]);
  });

  it('a cell that is asked for is no longer left out', () => {
    const left = { include: [], exclude: ['same'] };
    expect(toggleCell(left, ['same'], 1, 2)).to.deep.equal({ include: ['same'], exclude: [] });
  });

  it('a pill includes, then leaves out, then neither', () => {
    const states = [noChoice];
    for (let n = 0; n < 3; n += 1) states.push(cycleChanges(states.at(-1) ?? noChoice, ['fixed']));
    expect(states.map((state) => changeStanding(state, ['fixed']))).to.deep.equal([
      'off',
      'in',
      'out',
      'off',
    ]);
  });
});
