import { expect } from 'chai';
import {
  cycle,
  defaultView,
  isFiltered,
  isFolded,
  noChoice,
  parseView,
  place,
  renderRowQuery,
  renderView,
  standing,
  toggleOnly,
  type View,
  withChoice,
  withCondition,
  withoutFilters,
} from '../../../ui/src/dashboard/view-state.js';

const choice = (include: string[], exclude: string[] = []) => ({ include, exclude });

describe('view state', () => {
  it('a URL without parameters is the first view, and the other way round', () => {
    expect(parseView('')).to.deep.equal(defaultView);
    expect(renderView(defaultView)).to.equal('');
  });

  it('everything survives the way through the URL', () => {
    const view: View = {
      run: '0123456789ab',
      saved: 'worst & first',
      isToOpen: false,
      search: 'a & b = "c" ä+%20',
      filters: {
        dataset: choice(['refunds', 'a,b'], ['slow tests']),
        label: choice([], ['#1']),
        status: choice(['failed', 'error']),
        score: choice(['exact:failed', 'size:>=5'], ['a:b:passed']),
        reason: choice(['exact=expected # days']),
        has: choice(['trace_url']),
        flaky: choice(['true']),
        code: choice(['older']),
        origin: choice(['carried']),
        changed: choice(['true']),
        latency: choice(['0.5..2'], ['..0.25']),
        cost: choice(['unknown']),
        where: choice(['metadata.tier=pro'], ['latency>=2']),
        calls: choice(['2..']),
        tokens: choice(['..500']),
      },
      sort: 'score:exact match',
      descending: true,
      fold: false,
      by: 'metadata.tier',
      folds: { isFolded: true, except: ['gold', null, '\\', '\\a'] },
      tab: 'reasons',
      chart: { x: 'cost', y: 'score:a b' },
    };
    expect(parseView(renderView(view))).to.deep.equal(view);
    const others = { ...view, folds: { isFolded: false, except: [null, 'gold'] } };
    expect(parseView(renderView(others))).to.deep.equal(others);
  });

  it('a condition takes the place of one that asks for another value of its field', () => {
    const first = ['metadata.tier=pro', 'latency>=1', 'metadata["a=b"]=x'].reduce(
      withCondition,
      defaultView,
    );
    expect(withCondition(first, 'metadata.tier=free').filters.where.include).to.deep.equal([
      ...['latency>=1', 'metadata["a=b"]=x', 'metadata.tier=free'],
    ]);
    expect(withCondition(first, 'latency>=2').filters.where.include).to.have.lengthOf(4);
  });

  it('a saved view is opened by an address that names nothing else, but not after its filters were cleared', () => {
    const linked = parseView('?run=r&view=slow');
    expect(linked).to.deep.equal({ ...defaultView, run: 'r', saved: 'slow', isToOpen: true });
    expect(renderView(linked)).to.equal('?run=r&view=slow');
    const opened = { ...linked, isToOpen: false };
    expect(renderView(opened)).to.equal('?run=r&view=slow&sort=index');
    expect(parseView(renderView(opened))).to.deep.equal(opened);
    expect(renderRowQuery(linked)).to.equal('fold=trials');
  });

  it('the API is asked for groups, failing rows first in each, and not for what is folded', () => {
    const view = { ...defaultView, by: 'dataset', folds: { isFolded: false, except: ['tone'] } };
    expect(renderRowQuery(view)).to.equal('by=dataset&fold=trials&sort=status');
    expect(renderRowQuery({ ...view, sort: 'latency', descending: true })).to.equal(
      'sort=latency&order=desc&by=dataset&fold=trials',
    );
  });

  it('eight groups are open, more are folded, unless somebody folds or opens them', () => {
    const states = (search: string) => {
      const { folds } = parseView(`?by=dataset${search}`);
      return ['a', 'b'].map((key) => [8, 9].map((groups) => isFolded(folds, key, groups)));
    };
    const [open, folded] = [
      [false, false],
      [true, true],
    ];
    const usual = [false, true];
    expect(states('')).to.deep.equal([usual, usual]);
    expect(states('&toggled=a')).to.deep.equal([[true, false], usual]);
    expect(states('&groups=open')).to.deep.equal([open, open]);
    expect(states('&groups=open&folded=a')).to.deep.equal([folded, open]);
    expect(states('&folded=a')).to.deep.equal([folded, open]);
    expect(states('&groups=folded&open=b')).to.deep.equal([folded, open]);
  });

  it('values that begin like an exclusion or an escape keep their beginning', () => {
    const labels = choice(['!important', '\\path', '\\!both'], ['!', '\\']);
    const view = withChoice(defaultView, 'label', labels);
    expect(parseView(renderView(view)).filters.label).to.deep.equal(labels);
    const params = new URLSearchParams(renderRowQuery(view)).getAll('label');
    expect(params).to.deep.equal(['\\!important', '\\\\path', '\\\\!both', '!\\!', '!\\\\']);
  });

  it('the API is asked for folded rows and never for the run', () => {
    expect(renderRowQuery({ ...defaultView, run: 'x' })).to.equal('fold=trials');
    expect(renderRowQuery({ ...defaultView, fold: false })).to.equal('');
    expect(renderView({ ...defaultView, fold: false })).to.equal('?fold=none');
  });

  it('what is not known in a URL is left out', () => {
    expect(parseView('?order=sideways&sort=&fold=maybe&other=1')).to.deep.equal(defaultView);
  });

  it('a value that a URL names twice counts once', () => {
    const { dataset } = parseView('?dataset=a&dataset=a&dataset=!b&dataset=!b').filters;
    expect(dataset).to.deep.equal(choice(['a'], ['b']));
  });

  it('a click includes, the next one excludes, the third one lets go', () => {
    const once = cycle(noChoice, 'a');
    const twice = cycle(once, 'a');
    expect([once, twice, cycle(twice, 'a')].map((now) => standing(now, 'a'))).to.deep.equal([
      'in',
      'out',
      'off',
    ]);
    expect(cycle(choice(['b']), 'a')).to.deep.equal(choice(['b', 'a']));
  });

  it('a value stands in one place at a time', () => {
    expect(place(choice(['a']), 'a', 'out')).to.deep.equal(choice([], ['a']));
    expect(place(choice([], ['a']), 'a', 'in')).to.deep.equal(choice(['a']));
  });

  it('asking for one value alone twice asks for all', () => {
    const alone = toggleOnly(choice(['b'], ['c']), 'a');
    expect(alone).to.deep.equal(choice(['a']));
    expect(toggleOnly(alone, 'a')).to.deep.equal(noChoice);
  });

  it('clearing the filters leaves run, order and folding', () => {
    const view = parseView('?run=r&search=x&status=failed&sort=latency&order=desc&fold=none');
    expect(isFiltered(view)).to.equal(true);
    const cleared = withoutFilters(view);
    expect(isFiltered(cleared)).to.equal(false);
    expect(renderView(cleared)).to.equal('?run=r&sort=latency&order=desc&fold=none');
  });
});
