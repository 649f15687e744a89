import { expect } from 'chai';
import type { StoredCall, StoredCalls } from '../../../src/model/calls/stored-calls.js';
import {
  slowestOf,
  sortedRows,
  type TimelineRow,
  timelineRows,
} from '../../../ui/src/result/calls/timeline-rows.js';

const call = (number: number, role: StoredCall['role'], more: Partial<StoredCall> = {}) =>
  ({
    ...{
      number,
      role,
      start: number,
      end: number + 1,
      method: 'POST',
      url: 'https://m.example/v1',
    },
    model_call: { operation: 'chat', model: `model ${number}`, usage: { input: 1, output: 1 } },
    ...{ cost: 0.01, ...more },
  }) as StoredCall;

const calls = [
  call(0, 'target'),
  call(1, 'target', { replayed: true, recorded_duration: 1 }),
  call(2, 'evaluator:tone'),
];

function spent(kind?: 'carried' | 'regraded'): string[] {
  const origin = kind && { run_id: 'r', run_name: 'before', kind };
  const rows = timelineRows({ calls, texts: [] }, { usage: undefined, origin });
  return rows.filter(isSpent).map(({ name }) => name);
}

function isSpent(row: TimelineRow): boolean {
  return row.kind !== 'span' && row.isSpent;
}

describe('the lines of a timeline', () => {
  it('say which calls the run has spent: none of recordings and of the run that they come from', () => {
    expect(spent()).to.deep.equal(['target', 'model 0', 'evaluators', 'tone']);
    expect(spent('regraded')).to.deep.equal(['evaluators', 'tone']);
    expect(spent('carried')).to.deep.equal([]);
  });

  it('are sorted without their groups, what is not known last, and name the slowest call', () => {
    const stored = {
      calls: [
        call(0, 'target', { end: 0.5 }),
        call(1, 'target', { end: 4, cost: null }),
        call(2, 'target', { end: 9, replayed: true, recorded_duration: 7, cost: 5 }),
        call(3, 'evaluator:tone', {
          cost: 0.03,
          model_call: { provider: 'x', operation: 'chat', model: 'judge' },
        }),
      ],
      texts: [],
      spans: [{ kind: 'tool', id: 't', name: 'find', role: 'target', start: 0, end: 2 }],
    } satisfies StoredCalls;
    const rows = timelineRows(stored, { usage: undefined, origin: undefined });
    const names = (order: 'time' | 'tokens' | 'cost') =>
      sortedRows(rows, order).map(({ name }) => name);
    expect(names('time')).to.deep.equal(['model 1', 'find', 'tone', 'model 0', 'model 2']);
    expect(names('tokens').slice(-2)).to.have.members(['find', 'tone']);
    expect(names('cost')).to.deep.equal(['tone', 'model 0', 'model 2', 'find', 'model 1']);
    expect(slowestOf(rows)?.name).to.equal('model 1');
    expect(slowestOf(rows.slice(0, 2))).to.equal(undefined);
  });
});
