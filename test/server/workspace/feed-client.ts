import type { ChangeFeed, Watched } from '../../../src/server/workspace/feed.js';
import type { Store } from '../../../src/store/store.js';
import type { StoredRun } from '../../../src/store/stored-run.js';
import type { FakeClock } from '../../helpers/fake-clock.js';
import { type Arrived, EventList } from '../event-list.js';

/** What a feed looks at, to be changed at will. */
export class Desk implements Watched {
  store: Store;
  activeId = '';
  readonly runs: StoredRun[] = [];
  readonly paused = new Set<StoredRun>();

  constructor(store: Store) {
    this.store = store;
  }

  /** How often the runs were looked through. */
  looks = 0;

  openRuns(): readonly StoredRun[] {
    this.looks += 1;
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

/** A subscriber of a feed, by a clock that goes on while it waits for an event. */
export class Reader extends EventList {
  readonly end: () => void;
  readonly #clock: FakeClock;

  constructor(feed: Pick<ChangeFeed, 'subscribe'>, clock: FakeClock) {
    super();
    this.#clock = clock;
    this.end = feed.subscribe((block) => this.feed(block));
  }

  override async next<T extends Arrived['type']>(
    ...wanted: Parameters<typeof EventList.prototype.find<T>>
  ): Promise<Arrived<T>> {
    await this.#clock.until(() => this.find(...wanted) !== undefined);
    return super.next(...wanted);
  }
}
