import { expect } from 'chai';
import { runUsageOf, runUsageOfRows } from '../../../src/model/calls/run-usage.js';
import { usageOf } from '../../../src/model/calls/usage.js';
import { judgeGate } from '../../../src/model/gates/judge-gate.js';
import type { RowFacts } from '../../../src/model/result.js';
import { summarise } from '../../../src/model/summary/summary.js';
import { rowFacts } from '../row-facts.js';

const call = (role: string, cost: number | null, more: { replayed?: true } = {}) => ({
  role: role as 'target',
  cost,
  ...more,
  model_call: { usage: { input: 10, output: 1 } },
});
const replayed = { replayed: true } as const;
const from = (kind: 'carried' | 'regraded') => ({ run_id: 'r', run_name: 'before', kind });
const row = (facts: Partial<RowFacts>, ...calls: ReturnType<typeof call>[]) => {
  const usage = usageOf(calls);
  return rowFacts({ ...facts, ...(usage && { usage }) });
};

/** One that ran again, two carried ones of which one has no calls, a regraded, a partly replayed and a pruned one. */
const rows = [
  row(
    { replaced_usage: usageOf([call('target', 0.0625)]) },
    call('target', 0.25),
    call('evaluator:tone', 0.5),
  ),
  row({ origin: from('carried') }, call('target', 8), call('evaluator:tone', 4)),
  row({ origin: from('carried') }),
  row({ origin: from('regraded') }, call('target', 2), call('evaluator:tone', 1)),
  row({}, call('target', 16, replayed), call('target', 0.125)),
  row({ pruned: true }, call('target', 0.0625)),
];

describe('what a run spent', () => {
  it('is the sum over what ran in it; what was taken over stands beside it', () => {
    const { by_role, taken, replaced, ...spent } = runUsageOfRows(rows) ?? {};
    expect(spent).to.deep.equal({
      ...{ calls: 6, input: 60, output: 6, cost: 2 },
      ...{ replayed: 1, replayed_cost: 16 },
    });
    expect(by_role).to.deep.equal({
      target: { calls: 4, input: 40, output: 4, cost: 0.5 },
      'evaluator:tone': { calls: 2, input: 20, output: 2, cost: 1.5 },
    });
    expect(taken).to.deep.equal({
      carried: { results: 2, calls: 2, input: 20, output: 2, cost: 12 },
      regraded: { results: 1, calls: 1, input: 10, output: 1, cost: 2 },
      replayed: { results: 1, calls: 1, input: 10, output: 1, cost: 16 },
    });
    expect(replaced).to.deep.equal({ results: 2, calls: 2, input: 20, output: 2, cost: 0.125 });
    expect(summarise(rows).usage).to.deep.equal(runUsageOfRows(rows));
  });

  it('says which models judged', () => {
    const judge = { ...call('evaluator:tone', 1), status: 200 };
    const by = (model: string, response_model?: string) => ({
      ...judge,
      model_call: { model, ...(response_model !== undefined && { response_model }) },
    });
    // An alias is not what judged, and neither is a model that did not answer.
    const judges = [by('gpt-5', 'gpt-5-2026'), by('o4'), { ...by('o3'), status: 500 }];
    expect(usageOf([...judges, call('target', 1)])?.judge_models).to.deep.equal({
      tone: ['gpt-5-2026', 'o4'],
    });
  });

  it('says of replayed and carried calls when their cost is not known', () => {
    const unknown = row({}, call('target', null, replayed));
    expect(runUsageOf(unknown)?.taken?.replayed).to.include({ cost: null, unpriced: 1 });
    expect(runUsageOf(unknown)).to.include({ calls: 0, cost: 0 });
    const failed = { role: 'target', status: 500, unknown_model_call: {} } as const;
    expect(usageOf([failed])).to.include({ calls: 0, other_calls: 1 });
    expect(usageOf([{ ...failed, unknown_model_call: { counts_tokens: true } }])).to.include({
      ...{ calls: 1, cost: null, unpriced: 1, unknown_calls: 1 },
    });
    const program = usageOf([{ role: 'target', program: 'agent' }]);
    const started = rowFacts({ origin: from('carried'), ...(program && { usage: program }) });
    expect(runUsageOf(started)?.taken?.carried).to.include({ calls: 0, cost: null, programs: 1 });
    const carried = row({ origin: from('carried') }, call('target', null));
    expect(runUsageOf(carried)).to.not.have.property('unpriced');
    expect(runUsageOf(carried)?.taken?.carried).to.include({ cost: null, unpriced: 1 });
  });

  it('is what gates judge; those of total judge all', () => {
    const judged = (figure: 'cost' | 'cost.total' | 'tokens' | 'tokens.total' | 'calls.total') =>
      judgeGate({ kind: 'figure', figure, atMost: 32 }, { rows, summary: () => summarise(rows) });
    const beside =
      '(2 carried: 2 calls, $12.00; 1 regraded: 1 call, $2.00; 1 replayed: 1 call, $16.00)';
    expect([judged('cost'), judged('cost.total'), judged('calls.total')]).to.deep.equal([
      { verdict: 'yes', text: `cost $2.00 ${beside}, at most $32.00 asked for` },
      { verdict: 'yes', text: 'cost.total $32.00, at most $32.00 asked for' },
      { verdict: 'yes', text: 'calls.total 10, at most 32 asked for' },
    ]);
    expect(judged('tokens').text).to.match(/^tokens 66 \(/);
    expect(judged('tokens.total')).to.deep.equal({
      verdict: 'no',
      text: 'tokens.total 110 is over 32',
    });
    const lacking = [row({ origin: from('carried') }, call('target', null))];
    const summary = () => summarise(lacking);
    expect(
      judgeGate({ kind: 'figure', figure: 'cost.total', atMost: 1 }, { rows: lacking, summary }),
    ).to.deep.equal({
      verdict: 'cannot-tell',
      text: 'cost.total ≤ $1.00 cannot be judged: 1 call is not priced; give the price of the model under prices in assay.yaml',
    });
  });
});
