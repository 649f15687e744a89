import { expect } from 'chai';
import type { RowGroup } from '../../../src/model/summary/row-groups.js';
import { finished } from '../../store/builders.js';
import { type GivenRow, type ServedRows, serveRows } from './served-rows.js';

const row = (
  dataset: string,
  labels: readonly string[],
  tier: string | number | undefined,
  finish: GivenRow['finish'],
): GivenRow => ({
  plan: { dataset, labels: [...labels] },
  finish: { ...finish, metadata: tier === undefined ? {} : { tier } },
});
const exact = (passed: boolean) => ({ scores: [{ key: 'exact', passed }] });

const rows = [
  row('refunds', ['smoke', 'de'], 'gold', { ...exact(true), latency: 1 }),
  row('refunds', [], 'gold', { ...exact(false), latency: 3 }),
  row('refunds', ['de'], undefined, exact(true)),
  row('tone', [], 7, exact(false)),
  row('a=b', ['smoke'], 7, { status: 'error', error: 'Error: no', scores: [] }),
  { plan: { dataset: 'tone', labels: ['later'] } },
];

async function keysOf({ groups }: ServedRows, query: string): Promise<(string | null)[]> {
  return (await groups(query)).groups.map(({ key }: RowGroup) => key);
}

describe('groups of rows', () => {
  let served: ServedRows;
  beforeEach(async () => {
    served = await serveRows(rows);
  });

  it('have the figures that the run would have if it were the group alone', async () => {
    const { groups, ...rest } = await served.groups('by=dataset');
    expect(rest).to.deep.equal({
      by: 'dataset',
      total: 6,
      filtered: 6,
      count: 3,
      previous: null,
      no_previous: 'it has not started',
    });
    for (const group of groups) {
      const query = `group=${encodeURIComponent(`dataset=${group.key}`)}`;
      const { summary, filtered } = await served.rows(query);
      const { counts, latency } = summary;
      expect(group.results).to.equal(filtered);
      for (const name of ['passed', 'failed', 'errors', 'no_verdict', 'unfinished', 'pruned']) {
        expect(group[name], name).to.equal(counts[name]);
      }
      expect(group.pass_rate).to.deep.equal(counts.pass_rate);
      expect(group.latency).to.deep.equal({
        count: latency.count,
        p50: latency.p50,
        p95: latency.p95,
      });
      const chips = summary.chips.map(({ interval: _, ...chip }: { interval: unknown }) => chip);
      expect(group.chips).to.deep.equal(chips);
    }
  });

  it('are sorted by pass rate unless another figure is wanted', async () => {
    expect(await keysOf(served, 'by=dataset')).to.deep.equal(['tone', 'a=b', 'refunds']);
    expect(await keysOf(served, 'by=dataset&order=desc')).to.deep.equal(['refunds', 'tone', 'a=b']);
    expect(await keysOf(served, 'by=dataset&sort=key')).to.deep.equal(['a=b', 'refunds', 'tone']);
    expect(await keysOf(served, 'by=dataset&sort=score:exact&order=desc')).to.deep.equal([
      'refunds',
      'tone',
      'a=b',
    ]);
  });

  it('are of the rows that match', async () => {
    expect(await keysOf(served, 'by=label&dataset=refunds')).to.deep.equal(['de', 'smoke', null]);
    const { filtered, groups } = await served.groups('by=label&score=exact:passed');
    expect(filtered).to.equal(2);
    expect(groups.map(({ key, results }: RowGroup) => [key, results])).to.deep.equal([
      ['de', 2],
      ['smoke', 1],
    ]);
  });

  it('know metadata, also that of results which finish later', async () => {
    const { owner, groups, indices } = await serveRows(
      rows.slice(0, 4).map(({ plan }) => ({ plan: plan ?? {} })),
    );
    const tiers = async () =>
      (await groups('by=metadata.tier&sort=results&order=desc')).groups.map(
        ({ key, results }: RowGroup) => [key, results],
      );
    expect(await tiers()).to.deep.equal([[null, 4]]);
    owner.finish([0, 1, 3].map((index) => finished(index, rows[index]?.finish)));
    expect(await tiers()).to.deep.equal([
      ['gold', 2],
      ['7', 1],
      [null, 1],
    ]);
    expect(await indices('group=metadata.tier=gold')).to.deep.equal([0, 1]);
    expect(await indices('group=metadata.tier')).to.deep.equal([2]);
    owner.finish([finished(2, { ...rows[2]?.finish, metadata: { 'a=b': 'c=d' } })]);
    const named = encodeURIComponent('metadata["a=b"]=c=d');
    expect(await indices(`group=${named}`)).to.deep.equal([2]);
  });

  it('are selected by a filter', async () => {
    const query = (...values: string[]) =>
      values.map((value) => `group=${encodeURIComponent(value)}`).join('&');
    const expected: [string, number[]][] = [
      [query('dataset=a=b'), [4]],
      [query('!dataset=refunds'), [3, 4, 5]],
      [query('label=de'), [0, 2]],
      [query('label'), [1, 3]],
      [query('metadata.tier=7', 'dataset=refunds'), [0, 1, 2, 3, 4]],
      [query('metadata.tier=gold', '!label=de'), [1]],
      [query('metadata.none=x'), []],
      [query('file=evals/a.eval.ts'), [0, 1, 2, 3, 4, 5]],
    ];
    for (const [text, indices] of expected) {
      expect(await served.indices(text), text).to.deep.equal(indices);
    }
  });

  it('need a field that there is', async () => {
    for (const [query, text] of [
      ['', 'by'],
      ['by=dataset&by=file', 'must be given once'],
      [
        'by=day',
        'must be one of dataset, label, evaluation, file, metadata.KEY, input.PATH, output.PATH, reference.PATH, not \\"day\\"',
      ],
      [
        'by=file&sort=p50',
        'must be passed, results, key, latency, calls, tokens, cost or score:KEY',
      ],
    ]) {
      const answer = await served.get(`rows/groups?${query}`);
      expect([answer.status, answer.text]).to.deep.equal([400, answer.text]);
      expect(answer.text).to.include(text);
    }
    const answer = await served.get('rows?group=day=x');
    expect([
      answer.status,
      answer.text.includes('must be FIELD=VALUE, or FIELD alone'),
    ]).to.deep.equal([400, true]);
  });
});
