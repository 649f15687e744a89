import { expect } from 'chai';
import {
  renderAllTokens,
  renderCost,
  renderDollars,
  renderTokens,
  renderUsage,
  unknownTokensTexts,
} from '../../src/text/usage-text.js';

describe('the text of usage', () => {
  it('names calls, tokens, cost by role, and what is missing', () => {
    const usage = {
      calls: 180,
      input: 412_300,
      cache_read: 310_100,
      output: 38_020,
      cost: 1.84,
      unpriced: 3,
      taken: {
        replayed: { results: 4, calls: 12, cost: 0.02 },
        carried: { results: 284, calls: 1463, cost: 0.97, unpriced: 1 },
        regraded: { results: 3, calls: 1, cost: null },
      },
      failed: 5,
      retried: 4,
      by_role: {
        'evaluator:tone': { calls: 20, cost: 1 },
        target: { calls: 100, cost: 0.61 },
        'evaluator:exact': { calls: 60, cost: 0.23 },
      },
    };
    expect(renderUsage(usage)).to.equal(
      '180 calls · 412k tokens in (310k cached), 38k out · ≥ $1.84 (target $0.61, evaluators $1.23) · 3 not priced · 5 failed · 4 retried · (284 carried: 1,463 calls, ≥ $0.97; 3 regraded: 1 call, cost unknown; 4 replayed: 12 calls, $0.0200)',
    );
  });

  it('leaves out what is not known', () => {
    const one = { calls: 1, cost: null, unpriced: 1 };
    expect(renderUsage({ ...one, by_role: { target: one } })).to.equal('1 call · 1 not priced');
    const names = (...unpriced_models: string[]) =>
      renderUsage({ ...one, by_role: {}, unpriced_models });
    expect(names('a')).to.equal('1 call · 1 not priced: a');
    expect(names('a', 'b', 'c', 'd', 'e')).to.equal('1 call · 1 not priced: a, b, c and 2 more');
    expect(renderUsage({ ...one, output: 5, by_role: {} })).to.equal(
      '1 call · 5 tokens out · 1 not priced',
    );
    const free = { calls: 2, input: 10, cost: 0 };
    expect(renderUsage({ ...free, by_role: { body: free } })).to.equal(
      '2 calls · 10 tokens in · $0.00',
    );
    const roles = { target: free, 'evaluator:tone': free };
    expect(renderUsage({ ...free, by_role: roles })).to.equal('2 calls · 10 tokens in · $0.00');
    const mixed = {
      calls: 2,
      cost: 0.5,
      unpriced: 1,
      by_role: { target: { calls: 1, cost: 0.5 }, body: one },
    };
    expect(renderUsage(mixed)).to.equal(
      '2 calls · ≥ $0.50 (target $0.50, body unknown) · 1 not priced',
    );
  });

  it('tells calls without a price from those without tokens and those that are not understood', () => {
    const usage = {
      ...{ calls: 5, input: 10, output: 5, cost: 1, unpriced: 4, without_price: 1 },
      ...{ without_tokens: 1, unknown_calls: 2, by_role: {}, needs_include_usage: true },
      ...{ unpriced_models: ['a'], models_without_tokens: ['b'], unknown_hosts: ['x.example'] },
    };
    expect(renderUsage(usage)).to.equal(
      '5 calls · ≥ 10 tokens in, 5 out · ≥ $1.00 · 1 not priced: a · 1 call reported no tokens: b (stream_options.include_usage) · 2 unknown model calls to x.example · if no model answers there, add x.example to not_models in assay.yaml',
    );
    expect(renderAllTokens(usage)).to.equal('≥ 15');
    expect(renderAllTokens({ without_tokens: 1 })).to.equal('unknown');
    expect(renderAllTokens({})).to.equal('');
    expect(unknownTokensTexts({ without_tokens: 19 })).to.deep.equal(['19 calls report no tokens']);
    expect(unknownTokensTexts({ unrecorded: 1 })).to.deep.equal([
      '1 result came without its calls',
    ]);
    expect(unknownTokensTexts({ unrecorded: 2 })).to.deep.equal([
      '2 results came without their calls',
    ]);
  });

  it('rounds dollars and tokens to what is read at a glance', () => {
    const dollars = [
      ...[0, 1e-10, 0.0000067, 0.00042, 0.000994, 0.000996, 0.002, 0.0018, 0.05, 0.0999, 0.09996],
      ...[0.61, 12.4, 999.99, 1204.4],
    ];
    expect(dollars.map(renderDollars)).to.deep.equal([
      ...[
        '$0.00',
        '$0.00',
        '$0.0000067',
        '$0.00042',
        '$0.00099',
        '$0.0010',
        '$0.0020',
        '$0.0018',
        '$0.0500',
        '$0.0999',
        '$0.10',
      ],
      ...['$0.61', '$12.40', '$999.99', '$1,204'],
    ]);
    const tokens = [0, 812, 999, 1000, 4096, 9949, 9950, 412_300, 999_499, 999_500, 1_300_000, 2e9];
    expect(tokens.map(renderTokens)).to.deep.equal([
      ...['0', '812', '999', '1k', '4.1k', '9.9k', '10k', '412k', '999k', '1M', '1.3M', '2B'],
    ]);
    expect(renderCost({ cost: null })).to.equal('unknown');
    expect(renderCost({ cost: 2, unpriced: 1 })).to.equal('≥ $2.00');
  });
});
