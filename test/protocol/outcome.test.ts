import assert from 'node:assert/strict';
import { outcomeFault } from '../../src/protocol/outcome.js';

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
  [{ status: 'cancelled' }, 'its status must be completed or error'],
  [{ status: undefined }, 'its status must be completed or error'],
  [{ output: undefined }, 'its output must be there'],
  [{ output: deep }, 'its output must be nested less deeply'],
  [{ more: 1 }, 'it has the unknown field "more"'],
  [{ ...failed, error: null }, 'its status is error, but it has none'],
  [{ error: 'Error: no' }, 'its status is completed, but it has an error'],
  [{ error: undefined }, 'its error must be a text or null'],
  [{ error: {} }, 'its error must be a text or null'],
  [{ latency: '1' }, 'its latency must be a number of 0 or more or null'],
  [{ latency: -1 }, 'its latency must be a number of 0 or more or null'],
  [{ latency: Number.POSITIVE_INFINITY }, 'its latency must be a number of 0 or more or null'],
  [{ startedAt: 1e15 }, 'its startedAt must be a time in Unix milliseconds'],
  [{ startedAt: null }, 'its startedAt must be a time in Unix milliseconds'],
  [{ trace_data: [] }, 'its trace_data must be an object'],
  [{ metadata: 'x' }, 'its metadata must be an object'],
  [{ metadata: null }, 'its metadata must be an object'],
  [{ regradable: 1 }, 'its regradable must be true or false'],
  [{ kept: { node: 'x' } }, 'its kept must be values as they were'],
  [{ inexact: true }, 'its inexact must be a text'],
  [{ left: 1 }, 'its left must be a text'],
  [{ exact: 'yes' }, 'its exact must be true or false'],
  [{ hazard: {} }, 'its hazard must be a text'],
  [{ no_draw: 'no' }, 'its no_draw must be true or false'],
  [{ code: '../../etc' }, 'its code must be a hash'],
  [{ calls: 'none' }, 'its calls must be the calls of an attempt'],
  [
    { calls: { texts: [], calls: [{ ...call, cost: '5' }] } },
    'its calls must be the calls of an attempt',
  ],
  [{ lookups: {} }, 'its lookups.found must be a whole number'],
  [{ lookups: { found: 1, missed: [], more: 1 } }, 'its lookups has the unknown field "more"'],
  [{ scores: {} }, 'its scores must be a list'],
  [{ scores: [7] }, 'its scores.0 must be an object'],
  [score({ passed: undefined }), 'its scores.0 must be a score with passed or value'],
  [score({ key: '' }), 'its scores.0.key must be a text of 1 to 200 characters'],
  [score({ key: undefined }), 'its scores.0.key must be a text of 1 to 200 characters'],
  [score({ passed: null }), 'its scores.0.passed must be true or false'],
  [score({ value: '1' }), 'its scores.0.value must be a number'],
  [score({ value: Number.NaN }), 'its scores.0.value must be a number'],
  [score({ notes: 1 }), 'its scores.0.notes must be a text'],
  [score({ location: {} }), 'its scores.0.location must be a text'],
  [score({ source: 'human' }), 'its scores.0 has the unknown field "source"'],
  [score({ threshold: 1 }), 'its scores.0 has the unknown field "threshold"'],
  [
    { scores: [1, 2].map(() => ({ key: 'a', value: 1 })) },
    'its scores.1 has the key of another score, "a"',
  ],
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
