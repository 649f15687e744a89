import { setTimeout } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import type { ChangeEvent } from '../../../src/server/workspace/change-event.js';
import type { ChangeFeed, Watched } from '../../../src/server/workspace/change-feed.js';
import type { Store } from '../../../src/store/store.js';
import type { StoredRun } from '../../../src/store/stored-run.js';

/** What a feed looks at, to be changed at will. */
export class Desk implements Watched {
  store: Store;
  activeId = '';
  readonly runs: StoredRun[] = [];
  readonly paused = new Set<StoredRun>();

  constructor(store: Store) {
    this.store = store;
  }

  openRuns(): readonly StoredRun[] {
    return this.runs;
  }

  isPaused(run: StoredRun): boolean {
    return this.paused.has(run);
  }

  /** Opens a run, and makes it the active one. */
  async open(runId: string): Promise<StoredRun> {
    const run = await this.store.openRun(runId);
    this.runs.push(run);
    this.activeId = runId;
    return run;
  }

  async close(): Promise<void> {
    for (const run of this.runs) await run.close().catch(() => undefined);
  }
}

/** An event and when it came; `performance.now()`. */
export type Arrived = ChangeEvent & { readonly at: number };

/** A subscriber that reads the blocks as clients do. */
export class Reader {
  readonly events: Arrived[] = [];
  readonly end: () => void;

  constructor(feed: ChangeFeed) {
    const parser = createParser({
      onEvent: ({ event, data }) => {
        this.events.push({ type: event, data: JSON.parse(data), at: performance.now() } as Arrived);
      },
    });
    this.end = feed.subscribe((block) => parser.feed(block));
  }

  /** Events of a type so far. */
  of<T extends ChangeEvent['type']>(type: T): Extract<Arrived, { type: T }>[] {
    return this.events.filter((event) => event.type === type) as Extract<Arrived, { type: T }>[];
  }

  /** The first event of a type, new since `from` events, that holds; fails after a while. */
  async next<T extends ChangeEvent['type']>(
    type: T,
    holds: (data: Extract<ChangeEvent, { type: T }>['data']) => boolean = () => true,
    from = 0,
  ): Promise<Extract<Arrived, { type: T }>> {
    for (const end = performance.now() + 5000; performance.now() < end; await setTimeout(2)) {
      const found = this.events
        .slice(from)
        .find((event) => event.type === type && holds(event.data as never));
      if (found !== undefined) return found as Extract<Arrived, { type: T }>;
    }
    throw new Error(`no such ${type} event among ${JSON.stringify(this.events).slice(0, 2000)}`);
  }
}
