import { EventEmitter, once } from 'node:events';
import { createParser } from 'eventsource-parser';
import { changeEvent } from '../../src/server/api/events.js';
import type { ChangeEvent } from '../../src/server/workspace/feed.js';

type Type = ChangeEvent['type'];

/** An event that has come. */
export type Arrived<T extends Type = Type> = Extract<ChangeEvent, { type: T }>;

/** The events of a stream, read as clients read them; each has to fit its schema. */
export class EventList {
  readonly events: Arrived[] = [];
  readonly comments: string[] = [];
  /** What a client is told to wait before it connects again; milliseconds. */
  retry: number | undefined;
  readonly #arrivals = new EventEmitter().setMaxListeners(0);
  readonly #parser = createParser({
    onEvent: ({ event, data }) => {
      const parsed = changeEvent.parse({ type: event, data: JSON.parse(data) }) as ChangeEvent;
      this.events.push(parsed);
      this.#arrivals.emit('event');
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

  /** The first event of a type, at or after position `from`, that holds, if it has come. */
  find<T extends Type>(
    type: T,
    holds: (data: Arrived<T>['data']) => boolean = () => true,
    from = 0,
  ): Arrived<T> | undefined {
    return this.events
      .slice(from)
      .find((event): event is Arrived<T> => event.type === type && holds(event.data as never));
  }

  /** The same, as soon as it has come; says after half a minute what has come instead. */
  async next<T extends Type>(
    type: T,
    holds?: (data: Arrived<T>['data']) => boolean,
    from?: number,
  ): Promise<Arrived<T>> {
    const signal = AbortSignal.timeout(30_000);
    for (;;) {
      const found = this.find(type, holds, from);
      if (found !== undefined) return found;
      await once(this.#arrivals, 'event', { signal }).catch(() => {
        const events = JSON.stringify(this.events).slice(0, 2000);
        throw new Error(`no such ${type} event among ${events}`);
      });
    }
  }
}
