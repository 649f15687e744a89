import type { Job, Queue } from 'bullmq';
import type { RunQueues } from './run-queues.js';

/** What became of open jobs of a queue, as the queue says: events may be missed. */
export interface MissedJobs {
  /** With what should be a packed `JobReturn`; `null` if Redis refused it after it had ended the job. */
  readonly completed: readonly { readonly id: string; readonly packed: unknown }[];
  readonly failed: readonly { readonly id: string; readonly reason: string }[];
  /** Jobs that the server does not have any more: without persistence it loses its queues when it restarts. */
  readonly lost: readonly string[];
}

/** Looks for the ends of open jobs in a queue. */
export async function findMissedJobs(
  queues: RunQueues,
  queue: Queue,
  isOpen: (job: string) => boolean,
  open: () => readonly string[],
): Promise<MissedJobs> {
  const completed: { id: string; packed: unknown }[] = [];
  for (const id of await queue.getRanges(['completed'], 0, -1)) {
    if (!isOpen(id)) continue;
    const job = (await queue.getJob(id)) as Job | undefined;
    if (job !== undefined) completed.push({ id, packed: job.returnvalue });
  }
  const failed: { id: string; reason: string }[] = [];
  for (const id of (await queue.getRanges(['failed'], 0, -1)).filter(isOpen)) {
    const job = (await queue.getJob(id)) as Job | undefined;
    if (job !== undefined) failed.push({ id, reason: String(job.failedReason) });
  }
  const lost: string[] = [];
  // Jobs are open before they are in the queue, so those are counted first.
  const ids = open();
  if ((await queues.count(queue)) < ids.length) {
    for (const id of ids) {
      if (isOpen(id) && (await queue.getJobState(id)) === 'unknown') lost.push(id);
    }
  }
  return { completed, failed, lost };
}
