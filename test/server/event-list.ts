import { setTimeout } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { changeEvent } from '../../src/server/schemas/event.js';
import type { ChangeEvent } from '../../src/server/workspace/change-event.js';

type Type = ChangeEvent['type'];

/** An event and when it came; `performance.now()`. */
export type Arrived<T extends Type = Type> = Extract<ChangeEvent, { type: T }> & {
  readonly at: number;
};

/** The events of a stream, read as clients read them; each has to fit its schema. */
export class EventList {
  readonly events: Arrived[] = [];
  readonly comments: string[] = [];
  /** What a client is told to wait before it connects again; milliseconds. */
  retry: number | undefined;
  readonly #parser = createParser({
    onEvent: ({ event, data }) => {
      const parsed = changeEvent.parse({ type: event, data: JSON.parse(data) }) as ChangeEvent;
      this.events.push({ ...parsed, at: performance.now() });
    },
    onComment: (comment) => this.comments.push(comment),
    onRetry: (retry) => {
      this.retry = retry;
    },
  });

  /** Takes in a piece of the stream. */
  feed(text: string): void {
    this.#parser.feed(text);
  }

  /** Events of a type so far. */
  of<T extends Type>(type: T): Arrived<T>[] {
    return this.events.filter((event): event is Arrived<T> => event.type === type);
  }

  /** The first event of a type, at or after position `from`, that holds; fails after ten seconds. */
  async next<T extends Type>(
    type: T,
    holds: (data: Arrived<T>['data']) => boolean = () => true,
    from = 0,
  ): Promise<Arrived<T>> {
    for (const end = performance.now() + 10_000; performance.now() < end; await setTimeout(2)) {
      const late = this.events.slice(from);
      const found = late.find(
        (event): event is Arrived<T> => event.type === type && holds(event.data as never),
      );
      if (found !== undefined) return found;
    }
    throw new Error(`no such ${type} event among ${JSON.stringify(this.events).slice(0, 2000)}`);
  }
}
