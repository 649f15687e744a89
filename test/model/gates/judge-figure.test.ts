import { expect } from 'chai';
import { usageOf } from '../../../src/model/calls/usage.js';
import type { Figure } from '../../../src/model/gates/judge-figure.js';
import { type Gate, judgeGate } from '../../../src/model/gates/judge-gate.js';
import { summarise } from '../../../src/model/summary/summary.js';
import { rowFacts } from '../row-facts.js';

const call = (role: string, cost: number | null, input?: number) => ({
  role: role as 'target',
  cost,
  model_call: input === undefined ? {} : { usage: { input, output: 100 } },
});

const rows = [
  { ...rowFacts({ latency: 1 }), regradable: true },
  {
    ...rowFacts({
      latency: 3,
      usage: usageOf([call('target', 1.5, 900_000), call('evaluator:tone', 0.5, 50_000)]),
    }),
    regradable: true,
  },
];
const unpriced = [rowFacts({ usage: usageOf([call('target', 0.25, 10), call('body', null)]) })];

function verdict(gate: Gate, of: typeof rows | typeof unpriced | [] = rows) {
  return judgeGate(gate, { rows: of, summary: () => summarise(of) });
}

function at(figure: Figure, atMost: number, of?: typeof unpriced | []) {
  return verdict({ kind: 'figure', figure, atMost }, of);
}

describe('judgeGate: figures', () => {
  it('holds cost, tokens and calls, all or of a role, against their limits', () => {
    const found = [
      at('cost', 2),
      at('cost', 1.99),
      at('cost.evaluators', 0.4),
      at('cost.targets', 1.5),
      at('cost.body', 0),
      at('tokens', 950_000),
      at('tokens.evaluators', 60_000),
      at('calls', 1),
    ];
    expect(found).to.deep.equal([
      { verdict: 'yes', text: 'cost $2.00, at most $2.00 asked for' },
      { verdict: 'no', text: 'cost $2.00 is over $1.99' },
      { verdict: 'no', text: 'cost.evaluators $0.50 is over $0.40' },
      { verdict: 'yes', text: 'cost.targets $1.50, at most $1.50 asked for' },
      { verdict: 'yes', text: 'cost.body $0.00, at most $0.00 asked for' },
      { verdict: 'no', text: 'tokens 950,200 is over 950,000' },
      { verdict: 'yes', text: 'tokens.evaluators 50k, at most 60k asked for' },
      { verdict: 'no', text: 'calls 2 is over 1' },
    ]);
  });

  it('cannot tell a cost with calls that have no price, unless what is known is over the limit', () => {
    expect([at('cost', 2, unpriced), at('cost', 0.2, unpriced)]).to.deep.equal([
      {
        verdict: 'cannot-tell',
        text: 'cost ≤ $2.00 cannot be judged: 1 call reported no tokens',
      },
      { verdict: 'no', text: 'cost ≥ $0.25 is over $0.20' },
    ]);
    expect(at('cost.targets', 1, unpriced).verdict).to.equal('yes');
    expect(at('tokens.body', 1, unpriced).verdict).to.equal('cannot-tell');
  });

  it('cannot tell tokens and cost with calls that report no tokens, or are not understood', () => {
    const full = { status: 200, url: 'https://x.example/ask' };
    const silent = { ...call('target', null), ...full };
    const unknown = { role: 'target' as const, cost: null, ...full, unknown_model_call: {} };
    const rowOf = (...calls: (typeof silent | typeof unknown)[]) => [
      { ...rowFacts({ usage: usageOf([call('target', 0.25, 10), ...calls]) }), regradable: true },
    ];
    expect(
      [
        at('tokens', 2000, rowOf(silent, silent)),
        at('tokens', 100, rowOf(silent)),
        at('tokens', 2000, rowOf(unknown)),
        at('cost', 2, rowOf(unknown, silent)),
        at('calls', 1, rowOf(unknown)),
        at('calls', 2, rowOf(unknown)),
      ].map(({ verdict, text }) => `${verdict}: ${text}`),
    ).to.deep.equal([
      'cannot-tell: tokens ≤ 2k cannot be judged: 2 calls report no tokens',
      'no: tokens ≥ 110 is over 100',
      'cannot-tell: tokens ≤ 2k cannot be judged: 1 unknown model call to x.example; if no model answers there, add x.example to not_models in assay.yaml',
      'cannot-tell: cost ≤ $2.00 cannot be judged: 1 call reported no tokens, 1 unknown model call to x.example; if no model answers there, add x.example to not_models in assay.yaml',
      'cannot-tell: calls ≤ 1 cannot be judged: 1 unknown model call to x.example; if no model answers there, add x.example to not_models in assay.yaml',
      'yes: calls at most 2, at most 2 asked for',
    ]);
    const only = [{ ...rowFacts({ usage: usageOf([unknown]) }), regradable: true }];
    expect(verdict({ kind: 'no-calls' }, only)).to.deep.equal({
      verdict: 'cannot-tell',
      text: 'no-calls cannot be judged: 1 unknown model call to x.example; if no model answers there, add x.example to not_models in assay.yaml',
    });
    expect(verdict({ kind: 'no-calls' }, rowOf(unknown)).verdict).to.equal('yes');
  });

  it('knows that refused calls used nothing', () => {
    const refused = { ...call('target', 0), status: 429, unknown_model_call: {} };
    const { model_call: _, ...unknown } = refused;
    const usage = usageOf([
      call('target', 0.25, 10),
      { ...call('target', 0), status: 429 },
      unknown,
    ]);
    expect(usage).to.deep.include({ calls: 2, other_calls: 1, failed: 1 });
    expect(at('tokens', 200, [rowFacts({ usage })]).verdict).to.equal('yes');
  });

  it('is zero without calls', () => {
    expect(at('cost', 0, []).verdict).to.equal('yes');
    expect(at('latency.p95', 1, []).verdict).to.equal('cannot-tell');
  });

  it('holds percentiles of the latency against seconds', () => {
    expect([at('latency.p95', 2.9), at('latency.p95', 2.8), at('latency.p50', 2)]).to.deep.equal([
      { verdict: 'yes', text: 'latency.p95 2.9 s, at most 2.9 s asked for' },
      { verdict: 'no', text: 'latency.p95 2.9 s is over 2.8 s' },
      { verdict: 'yes', text: 'latency.p50 2 s, at most 2 s asked for' },
    ]);
  });

  it('finds evaluations whose target called no model', () => {
    const other = { ...rowFacts({ evaluation: 'a.eval.ts::other' }), regradable: true };
    expect([
      verdict({ kind: 'no-calls' }),
      verdict({ kind: 'no-calls' }, [...rows, other]),
      verdict({ kind: 'no-calls' }, unpriced),
    ]).to.deep.equal([
      { verdict: 'yes', text: 'every target called a model' },
      { verdict: 'no', text: 'no model was called by the target of a.eval.ts::other' },
      { verdict: 'cannot-tell', text: 'no-calls cannot be judged: no target has finished' },
    ]);
  });
});
