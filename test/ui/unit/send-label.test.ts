import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect } from 'chai';
import { keys } from '../../../ui/src/api/keys.js';
import { type ReviewQueue, sendLabel } from '../../../ui/src/review/queries.js';

function queue(mine: Readonly<Record<string, 'pass'>>): ReviewQueue {
  const entry = { index: 3, keys: ['tone'], mine, sample_id: 'one' };
  return { queue: [entry], labelled: Object.keys(mine).length } as unknown as ReviewQueue;
}

describe('a label that is sent', () => {
  const { fetch } = globalThis;
  afterEach(() => {
    globalThis.fetch = fetch;
  });

  it('stays in a queue that was asked for before it, and answered after it', async () => {
    const answer = { label: { verdict: 'pass' }, judge: null, labelled: 1, disagreements: 0 };
    globalThis.fetch = async () => Response.json(answer);
    const answers: ((read: ReviewQueue) => void)[] = [];
    const cache = new QueryClient();
    const queryKey = [...keys.review('run'), 'Ada', 'queue'];
    cache.setQueryData(queryKey, queue({}));
    const queryFn = () => new Promise<ReviewQueue>((resolve) => answers.push(resolve));
    const stop = new QueryObserver(cache, { queryKey, queryFn, staleTime: 0 }).subscribe(() => {});
    expect(answers).to.have.length(1);
    const label = { index: 3, key: 'tone', verdict: 'pass', note: '' } as const;
    await sendLabel(cache, { run: 'run', reviewer: 'Ada' }, label);
    answers[0]?.(queue({}));
    await new Promise(setImmediate);
    expect(cache.getQueryData(queryKey)).to.have.nested.property('queue[0].mine.tone', 'pass');
    expect(answers, 'asked again').to.have.length(2);
    stop();
    cache.clear();
  });
});
