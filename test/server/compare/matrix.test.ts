import { expect } from 'chai';
import type { z } from 'zod';
import type { matrixOutputs, matrixPage } from '../../../src/server/api/matrix.js';
import type { RunOwner } from '../../../src/store/run-owner.js';
import { type GivenResult, judged, type ServedRuns, serveRuns } from './served-runs.js';

type Page = z.output<typeof matrixPage>;
type Outputs = z.output<typeof matrixOutputs>;

const inDataset = (dataset: string, given: GivenResult): GivenResult => ({
  ...given,
  plan: { dataset },
});
const broken = (name: string, error: string): GivenResult => ({
  name,
  finish: { status: 'error', error, output: null, scores: [] },
});
const trials = (name: string, passes: readonly boolean[]): GivenResult[] =>
  passes.map((passed, n) => ({ ...judged(name, passed), trial: n + 1 }));
const called = (name: string, cost: number | null, dollars = cost ?? 0): GivenResult => {
  const totals = { calls: 1, input: 10, cost: dollars, ...(cost === null && { unpriced: 1 }) };
  return judged(name, true, { usage: { ...totals, by_role: { target: totals } }, latency: 2 });
};

describe('GET /api/matrix/…', () => {
  let served: ServedRuns;
  let three: readonly RunOwner[];

  // Stores are removed after each test.
  beforeEach(async () => {
    served = await serveRuns();
    three = [
      await served.run([
        judged('kept', true, { output: 'one' }),
        inDataset('other', judged('apart', true)),
        judged('fell', true),
        ...trials('often', [true, true, false]),
        { name: 'waiting' },
      ]),
      await served.run([
        ...trials('often', [true, false, false]),
        broken('fell', 'no answer'),
        judged('kept', true, { output: 'two' }),
        inDataset('other', judged('apart', true)),
      ]),
      await served.run([
        judged('kept', true, { output: 'one' }),
        judged('new', false),
        broken('fell', 'no answer'),
        judged('waiting', true),
      ]),
    ];
  });

  const target = (part: string, runs: readonly RunOwner[], query = '') =>
    `/api/matrix/${part}?${runs.map(({ run }) => `run=${run.runId}`).join('&')}&${query}`;
  const rows = async (query = '', runs = three): Promise<Page> =>
    served.ask(target('rows', runs, query));
  const namesOf = ({ cases }: Page) => cases.map((one) => one.function);
  const cell = ({ cases }: Page, name: string, run: number) =>
    cases.find((one) => one.function === name)?.cells[run];
  const figures = ({ datasets }: Page, run: number, at = 0) => datasets[at]?.runs[run];

  it('groups cases by dataset, each with a cell for every run', async () => {
    const page = await rows();
    expect(namesOf(page)).to.deep.equal(['kept', 'fell', 'often', 'waiting', 'new', 'apart']);
    expect(page)
      .to.include({ total: 6, filtered: 6, offset: 0 })
      .and.not.to.have.property('counts_only');
    const one = { index: 0, results: 1, finished: 1, judged: 1, latency: 0.25 };
    expect(cell(page, 'kept', 0)).to.deep.include({ ...one, passed: 1, standings: ['passed'] });
    const mixed = { results: 3, finished: 3, judged: 3, standings: ['passed', 'failed'] };
    expect(cell(page, 'often', 0)).to.deep.include({ ...mixed, index: 3, passed: 2 });
    expect(cell(page, 'often', 1)).to.deep.include({ ...mixed, index: 0, passed: 1 });
    expect(cell(page, 'often', 2)).to.equal(null);
    expect(cell(page, 'fell', 1)).to.deep.include({ passed: 0, judged: 1, standings: ['error'] });
    expect(cell(page, 'waiting', 0)).to.deep.include({ finished: 0, standings: ['pending'] });
    expect(cell(page, 'new', 0)).to.equal(null);
    expect(
      page.runs.map(({ absent_cases, unfinished_cases }) => [absent_cases, unfinished_cases]),
    ).to.deep.equal([
      [1, 1],
      [2, 0],
      [2, 0],
    ]);
  });

  it('has the figures of each dataset in each run, errors among what has not passed', async () => {
    const page = await rows();
    expect(page.datasets.map(({ dataset, cases }) => [dataset, cases])).to.deep.equal([
      [page.cases[0]?.dataset, 5],
      ['other', 1],
    ]);
    expect(figures(page, 1)).to.include({ cases: 3 });
    expect(figures(page, 1)?.pass_rate).to.deep.include({ passed: 2, total: 5 });
    expect(figures(page, 1)?.pass_rate.rate?.estimate).to.equal(0.4);
    expect(figures(page, 2, 1)).to.deep.equal({
      cases: 0,
      p50: null,
      pass_rate: { passed: 0, total: 0, rate: null },
    });
  });

  it('filters by what differs between the runs that have a verdict, and then has counts only', async () => {
    const page = await rows('differ=true');
    expect(namesOf(page)).to.deep.equal(['fell', 'often']);
    expect(page.counts_only).to.equal(true);
    expect(figures(page, 0)?.pass_rate).to.deep.equal({ passed: 3, total: 4, rate: null });
    expect(page.facets.differ).to.deep.equal([
      { value: true, count: 2 },
      { value: false, count: 4 },
    ]);
    expect(namesOf(await rows('differ=false'))).to.deep.equal(['kept', 'waiting', 'new', 'apart']);
  });

  it('filters as the rows of a comparison, and counts what each value would match', async () => {
    const page = await rows('dataset=other');
    expect(namesOf(page)).to.deep.equal(['apart']);
    expect(page).to.include({ total: 6, filtered: 1 }).and.not.to.have.property('counts_only');
    expect(page.facets.dataset.map(({ count }) => count)).to.deep.equal([5, 1]);
    expect(page.facets.differ[0]).to.deep.equal({ value: true, count: 0 });
    expect(namesOf(await rows('search=OFTEN'))).to.deep.equal(['often']);
    expect(figures(await rows('status=error'), 0)?.pass_rate.rate).to.equal(null);
  });

  it('pages through all groups', async () => {
    const page = await rows('offset=4&limit=2');
    expect(namesOf(page)).to.deep.equal(['new', 'apart']);
    expect(page.datasets.map(({ cases }) => cases)).to.deep.equal([5, 1]);
    expect((await rows('offset=9')).cases).to.deep.equal([]);
    expect((await rows('limit=0')).filtered).to.equal(6);
  });

  it('has latency and cost, as far as it is known', async () => {
    const runs = [
      await served.run([called('a', 0.02), called('b', null, 0.5), called('c', null)]),
      await served.run([judged('a', true), judged('b', true), { name: 'c' }]),
    ];
    const page = await rows('', runs);
    expect(page.cases.map(({ cells }) => cells[0]?.cost)).to.deep.equal([
      { per_case: 0.02, unknown: 0 },
      { per_case: 0.5, unknown: 1 },
      { per_case: null, unknown: 1 },
    ]);
    expect(cell(page, 'a', 0)).to.include({ latency: 2 });
    expect(cell(page, 'a', 1)).to.not.have.property('cost');
    expect(cell(page, 'c', 1)).to.include({ latency: null });
    expect(figures(page, 0)).to.include({ p50: 2 });
    expect(figures(page, 0)?.cost).to.include({ unknown: 2 });
    expect(figures(page, 1)).to.not.have.property('cost');
  });

  it('has the score that is asked for: verdicts, values, or neither', async () => {
    const scores = [{ key: 'size', value: 3 }];
    const runs = [
      await served.run([judged('a', true), judged('b', false, { scores })]),
      await served.run([judged('a', false), judged('b', false, { scores: [] })]),
    ];
    const exact = await rows('shown_score=exact', runs);
    expect(cell(exact, 'a', 0)?.score).to.deep.equal({
      verdicts: { passes: 1, of: 1 },
      mean: null,
    });
    expect(cell(exact, 'a', 1)?.score).to.deep.equal({
      verdicts: { passes: 0, of: 1 },
      mean: null,
    });
    expect(cell(exact, 'b', 1)).to.not.have.property('score');
    expect(figures(exact, 0)?.score).to.include({ type: 'ratio', passed: 1, total: 1 });
    const size = await rows('shown_score=size', runs);
    expect(cell(size, 'b', 0)?.score).to.deep.equal({ verdicts: null, mean: 3 });
    expect(figures(size, 0)?.score).to.include({ type: 'avg', count: 1 });
    expect(figures(size, 1)).to.not.have.property('score');
  });

  it('says where trials and groups differ from the base beyond chance, as one family over all runs', async () => {
    const ten = (name: string, passes: number) =>
      trials(
        name,
        Array.from({ length: 10 }, (_, n) => n < passes),
      );
    const inTone = (passes: number) =>
      Array.from({ length: 12 }, (_, n) => inDataset('tone', judged(`tone_${n}`, n < passes)));
    const runs = [
      await served.run([...ten('refund', 10), ...ten('cancel', 6), ...inTone(12)]),
      await served.run([...ten('refund', 1), ...ten('cancel', 5), ...inTone(2)]),
      await served.run([...ten('refund', 9), ...ten('cancel', 6), ...inTone(11)]),
    ];
    const page = await rows('', runs);
    const { p, p_adjusted, ...more } = cell(page, 'refund', 1)?.moved ?? {};
    // One pass more or less of 20 cannot be found: the third run's refunds are no test.
    expect(more).to.deep.equal({ direction: 'worse', among: 3 });
    // scipy.stats.fisher_exact([[10, 0], [1, 9]]): 10 of C(20, 11) splits on each side
    expect(p).to.be.closeTo(20 / 167960, 1e-12);
    expect(p_adjusted).to.be.closeTo(3 * (p ?? 0), 1e-15);
    for (const [name, run] of [
      ['refund', 0],
      ['refund', 2],
      ['cancel', 1],
      ['tone_3', 1],
    ] as const) {
      expect(cell(page, name, run), `${name} ${run}`).to.not.have.property('moved');
    }
    expect(figures(page, 0, 1)).to.not.have.property('difference');
    expect(figures(page, 1, 1)?.difference).to.include({ pairs: 12, beyond_chance: true });
    expect(figures(page, 2, 1)?.difference).to.include({ beyond_chance: false });
    const some = await rows('status=passed', runs);
    expect(figures(some, 1, 1)).to.not.have.property('difference');
  });

  it('puts equal outputs and equal errors of a case together, over all runs and trials', async () => {
    const outputs = async (name: string) => {
      const id = encodeURIComponent(`evals/a.eval.ts::${name}`);
      const answer: Outputs = await served.ask(target('outputs', three, `id=${id}`));
      return answer.outputs.map(({ row, results }) => [
        row.error ?? row.output ?? row.status,
        ...results.map(({ run, index, passed }) => `${run}/${index} ${passed}`),
      ]);
    };
    expect(await outputs('kept')).to.deep.equal([
      ['one', '0/0 true', '2/0 true'],
      ['two', '1/4 true'],
    ]);
    expect(await outputs('fell')).to.deep.equal([
      ['fell true', '0/2 true'],
      ['no answer', '1/3 null', '2/2 null'],
    ]);
    expect(await outputs('often')).to.deep.equal([
      ['often true', '0/3 true', '0/4 true', '1/0 true'],
      ['often false', '0/5 false', '1/1 false', '1/2 false'],
    ]);
    expect((await outputs('waiting'))[0]).to.deep.equal(['pending', '0/6 null']);
  });

  it('compares every run with the first, and says what is to know', async () => {
    const answer = await served.ask(target('', three).replace('/?', '?'));
    const [base, second] = answer.runs;
    expect(base).to.deep.include({ label: `${base.run_id} brisk-otter`, cost: null, p50: 0.25 });
    expect(base.pass_rate).to.deep.include({ passed: 5, total: 6 });
    expect(base).to.not.have.property('difference');
    expect(second.difference).to.include({ pairs: 4, among: null });
    expect(second.difference.difference.estimate).to.be.closeTo(-1 / 3, 1e-9);
    expect(answer.common_cases).to.equal(2);
    expect(answer.notes.join('\n')).to.contain('results that have not finished: 1 of');
  });

  it('follows edits', async () => {
    const { headers } = await served.get(target('rows', three));
    const ifNew = { 'if-none-match': headers.get('etag') ?? '' };
    expect((await served.get(target('rows', three), ifNew)).status).to.equal(304);
    await three[0]?.run.edit(0, { scores: [{ key: 'exact', passed: false }] });
    const { body } = await served.get(target('rows', three), ifNew);
    expect(cell(body, 'kept', 0)).to.include({ passed: 0 });
  });

  it('refuses one run, more than twelve, an unknown one, and an unknown case', async () => {
    const [first, second] = three.map(({ run }) => run.runId);
    const many = Array.from({ length: 13 }, () => `run=${first}`).join('&');
    const refusals = [
      [`rows?run=${first}`, 400, 'run: must be given 2 to 12 times, the base first'],
      [`rows?${many}`, 400, 'run: must be given at most 12 times'],
      [`rows?run=${first}&run=000000000000`, 404, 'There is no run 000000000000'],
      [`rows?run=${first}&run=${second}&differ=maybe`, 400, 'differ: must be true or false'],
      [`outputs?run=${first}&run=${second}`, 400, 'at id'],
      [`outputs?run=${first}&run=${second}&id=x`, 404, 'No run has a case x'],
    ] as const;
    for (const [part, wanted, text] of refusals) {
      const { status, body } = await served.get(`/api/matrix/${part}`);
      expect(status, part).to.equal(wanted);
      expect(body.detail, part).to.contain(text);
    }
    const twelve = Array.from({ length: 12 }, (_, n) => `run=${n % 2 ? second : first}`).join('&');
    expect((await served.get(`/api/matrix/rows?${twelve}`)).status).to.equal(200);
  });
});
