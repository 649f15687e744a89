import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { keys } from '../api/keys.js';
import { ServerGone } from '../api/problem.js';
import { type AnswerOf, call, type RequestBody } from '../api/request.js';
import { type JudgeVerdict, type LabelToSend, Outbox } from './outbox.js';

/** What is to be labelled, without anything that a judge said. */
export type ReviewQueue = AnswerOf<'getReview'>;

/** A result of the queue. */
export type QueueEntry = ReviewQueue['queue'][number];

/** A result to be labelled. */
export type ReviewItem = AnswerOf<'getReviewedResult'>;

/** How results are drawn. */
type SampleRequest = RequestBody<'drawSample'>;

/** A review of a run by one person, of some score keys or (none) all. */
export interface ReviewScope {
  readonly run: string;
  readonly reviewer: string;
  readonly scoreKeys: readonly string[];
}

/** The queue of a reviewer; without a name, that of the one whom the settings name. */
export const useReviewQueue = (review: ReviewScope) =>
  useQuery({
    queryKey: queueKey(review),
    queryFn: ({ signal }) => {
      const query = new URLSearchParams(review.reviewer ? { reviewer: review.reviewer } : {});
      for (const key of review.scoreKeys) query.append('key', key);
      return call('get', '/api/runs/{run_id}/review', {
        path: { run_id: review.run },
        query,
        signal,
      });
    },
  });

/** One result to be labelled; none is read without an index. */
export const useReviewItem = ({ run, reviewer }: ReviewScope, index: number | undefined) =>
  useQuery({
    ...itemOptions(run, reviewer, index ?? -1),
    enabled: index !== undefined && reviewer !== '',
  });

/** Reads a result ahead. */
export function useReadAhead({ run, reviewer }: ReviewScope, index: number | undefined): void {
  const cache = useQueryClient();
  useEffect(() => {
    if (index !== undefined) void cache.prefetchQuery(itemOptions(run, reviewer, index));
  }, [cache, run, reviewer, index]);
}

/** Draws results at random, and reads the queue again. */
export async function drawSample(cache: QueryClient, run: string, body: SampleRequest) {
  const answer = await call('post', '/api/runs/{run_id}/review/sample', {
    path: { run_id: run },
    body,
  });
  await cache.invalidateQueries({ queryKey: keys.review(run) });
  return answer;
}

/** By run and reviewer: labels go on to the server when the page has been left for another one. */
const outboxes = new Map<string, Outbox>();

/** The labels that a reviewer gives on this page. */
export function useOutbox(review: ReviewScope) {
  const cache = useQueryClient();
  const { run, reviewer } = review;
  const name = JSON.stringify([run, reviewer]);
  let outbox = outboxes.get(name);
  if (outbox === undefined) {
    outbox = new Outbox((label) =>
      sendLabel(cache, { run, reviewer }, label).catch((error: unknown) => {
        // The rubric or the output may have changed.
        const queryKey = keys.reviewItem(run, reviewer, label.index);
        if (!(error instanceof ServerGone)) void cache.invalidateQueries({ queryKey });
        throw error;
      }),
    );
    outboxes.set(name, outbox);
  }
  return [outbox, useSyncExternalStore(outbox.subscribe, outbox.read)] as const;
}

/** Saves a label, and puts it into what has been read. */
export async function sendLabel(
  cache: QueryClient,
  { run, reviewer }: Omit<ReviewScope, 'scoreKeys'>,
  { index, key, verdict, note }: LabelToSend,
): Promise<JudgeVerdict | null> {
  const queues = { queryKey: [...keys.review(run), reviewer, 'queue'] };
  const entry = cache
    .getQueriesData<ReviewQueue>(queues)
    .flatMap(([, queue]) => queue?.queue ?? [])
    .find((one) => one.index === index);
  const item = cache.getQueryData<ReviewItem>(keys.reviewItem(run, reviewer, index));
  const version = item?.rubrics[key]?.version;
  const sample = entry?.sample_id;
  const answer = await call('post', '/api/runs/{run_id}/review/{index}', {
    path: { run_id: run, index },
    body: {
      key,
      verdict,
      reviewer,
      ...(note !== '' && { note }),
      ...(version !== undefined && { rubric_version: version }),
      ...(item !== undefined && { output_hash: item.output_hash }),
      ...(sample !== undefined && { sample }),
    },
  });
  // Their summaries say what people would pass.
  for (const queryKey of [keys.rows(run), keys.comparisons]) {
    void cache.invalidateQueries({ queryKey, refetchType: 'none' });
  }
  const { label, judge, labelled, disagreements } = answer;
  // A queue that is being read may be from before this label.
  const isOld = cache.isFetching(queues) > 0;
  cache.setQueriesData<ReviewQueue>(
    queues,
    (queue) =>
      queue && {
        ...queue,
        labelled,
        disagreements,
        queue: queue.queue.map((entry) =>
          entry.index === index
            ? { ...entry, mine: withKey(entry.mine, key, label?.verdict) }
            : entry,
        ),
      },
  );
  if (isOld) void cache.invalidateQueries(queues);
  cache.setQueryData<ReviewItem>(
    keys.reviewItem(run, reviewer, index),
    (item) =>
      item && {
        ...item,
        labels: withKey(item.labels, key, label ?? undefined),
        judges: withKey(item.judges, key, judge ?? undefined),
      },
  );
  return judge;
}

/** The fields with one set, or taken away. */
function withKey<T>(
  fields: Readonly<Record<string, T>>,
  key: string,
  value: T | undefined,
): Record<string, T> {
  const { [key]: _, ...rest } = fields;
  return value === undefined ? rest : { ...rest, [key]: value };
}

function queueKey({ run, reviewer, scoreKeys }: ReviewScope) {
  return [...keys.review(run), reviewer, 'queue', ...scoreKeys];
}

function itemOptions(run: string, reviewer: string, index: number) {
  return {
    queryKey: keys.reviewItem(run, reviewer, index),
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      call('get', '/api/runs/{run_id}/review/{index}', {
        path: { run_id: run, index },
        query: new URLSearchParams({ reviewer }),
        signal,
      }),
  };
}
