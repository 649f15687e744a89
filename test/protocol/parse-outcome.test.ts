import assert from 'node:assert/strict';
import { outcomeFault } from '../../src/protocol/parse-outcome.js';

const outcome = {
  status: 'completed',
  output: 'x',
  scores: [{ key: 'a', passed: true }],
  error: null,
  latency: 0.1,
  regradable: true,
};
const failed = { status: 'error', error: 'Error: no', output: null, scores: [], latency: null };
const score = (change: object) => ({ scores: [{ key: 'a', passed: true, ...change }] });
const call = { number: 1, role: 'target', method: 'POST', url: 'http://a.test/', start: 0 };
const deep = JSON.parse(`${'['.repeat(1100)}${']'.repeat(1100)}`);

const accepted: readonly object[] = [
  {},
  failed,
  { scores: [] },
  score({ value: 1, notes: '', location: 'a.eval.ts:1:1' }),
  { startedAt: 0, trace_data: {}, metadata: { a: 1 }, kept: { node: 20 }, inexact: 'getters: .a' },
  { left: 'why', exact: true, hazard: 'starts a process', no_draw: true, code: '0123456789abcdef' },
  { calls: { texts: [], calls: [call] }, lookups: { found: 1, missed: [{}], unused: 2 } },
  { metadata: undefined, kept: undefined, calls: undefined },
];

const refused: readonly (readonly [change: object, fault: string])[] = [
  [{ status: 'cancelled' }, 'its status is wrong'],
  [{ status: undefined }, 'its status is missing'],
  [{ output: undefined }, 'its output is missing'],
  [{ output: deep }, 'its output is wrong'],
  [{ more: 1 }, 'its field "more" is unknown'],
  [{ ...failed, error: null }, 'its status is error, but it has none'],
  [{ error: 'Error: no' }, 'its status is completed, but it has an error'],
  [{ error: undefined }, 'its error is missing'],
  [{ error: {} }, 'its error is wrong'],
  [{ latency: '1' }, 'its latency is wrong'],
  [{ latency: -1 }, 'its latency is wrong'],
  [{ latency: Number.POSITIVE_INFINITY }, 'its latency is wrong'],
  [{ startedAt: 1e15 }, 'its startedAt is wrong'],
  [{ startedAt: null }, 'its startedAt is wrong'],
  [{ trace_data: [] }, 'its trace_data is wrong'],
  [{ metadata: 'x' }, 'its metadata is wrong'],
  [{ metadata: null }, 'its metadata is wrong'],
  [{ regradable: 1 }, 'its regradable is wrong'],
  [{ kept: { node: 'x' } }, 'its kept is wrong'],
  [{ inexact: true }, 'its inexact is wrong'],
  [{ left: 1 }, 'its left is wrong'],
  [{ exact: 'yes' }, 'its exact is wrong'],
  [{ hazard: {} }, 'its hazard is wrong'],
  [{ no_draw: 'no' }, 'its no_draw is wrong'],
  [{ code: '../../etc' }, 'its code is wrong'],
  [{ calls: 'none' }, 'its calls is wrong'],
  [{ calls: { texts: [], calls: [{ ...call, cost: '5' }] } }, 'its calls is wrong'],
  [{ lookups: {} }, 'its lookups is wrong'],
  [{ lookups: { found: 1, missed: [], more: 1 } }, 'its lookups is wrong'],
  [{ scores: {} }, 'its scores is wrong'],
  [{ scores: [7] }, 'its score 1 is wrong'],
  [score({ passed: undefined }), 'its score 1 has neither a verdict nor a value'],
  [score({ key: '' }), 'its score 1: key is wrong'],
  [score({ key: undefined }), 'its score 1: key is missing'],
  [score({ passed: null }), 'its score 1: passed is wrong'],
  [score({ value: '1' }), 'its score 1: value is wrong'],
  [score({ value: Number.NaN }), 'its score 1: value is wrong'],
  [score({ notes: 1 }), 'its score 1: notes is wrong'],
  [score({ location: {} }), 'its score 1: location is wrong'],
  [score({ source: 'human' }), 'its score 1: field "source" is unknown'],
  [score({ threshold: 1 }), 'its score 1: field "threshold" is unknown'],
  [{ scores: [1, 2].map(() => ({ key: 'a', value: 1 })) }, 'it has two scores with the key "a"'],
];

describe('outcomeFault', () => {
  it('finds none in what hosts and workers send', () => {
    const faults = accepted.map((change) => outcomeFault({ ...outcome, ...change }));
    assert.deepEqual(faults, Array(accepted.length).fill(undefined));
  });

  it('says what is wrong with everything else', () => {
    const faults = refused.map(([change]) => outcomeFault({ ...outcome, ...change }));
    assert.deepEqual(
      faults,
      refused.map(([, fault]) => fault),
    );
    for (const value of [null, undefined, 'x', []]) {
      assert.equal(outcomeFault(value), 'it is no object');
    }
  });
});
