import { expect } from 'chai';
import type { StoredCall } from '../../../src/model/calls/stored-calls.js';
import { type TimelineRow, timelineRows } from '../../../ui/src/result/calls/timeline-rows.js';

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
});
