import type { ChangeEvent } from './schema.js';

/** State of the event stream. `since`: when it was lost; `retryAt`: the next attempt (milliseconds since 1970). */
export type Connection =
  | { readonly state: 'opening' }
  | { readonly state: 'open' }
  | { readonly state: 'lost'; readonly since: number; readonly retryAt: number }
  | { readonly state: 'back'; readonly since: number };

/** Milliseconds until the next attempt, by the number of attempts. */
const delays = [1000, 2000, 3000, 5000];

/** Callbacks of the event stream. */
export interface StreamListener {
  readonly onEvent: (type: string, data: unknown) => void;
  /** The stream is open: data read before may be stale. */
  readonly onOpen: () => void;
}

/** All of them: a type that is left out here does not compile. */
const eventTypes = Object.keys({
  run: true,
  results: true,
  sessions: true,
  project: true,
  settings: true,
} satisfies Record<ChangeEvent['type'], true>);

/** An event stream that reconnects automatically; a store for `useSyncExternalStore`. */
export class EventConnection {
  #source: EventSource | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #attempts = 0;
  #now: Connection = { state: 'opening' };
  readonly #watchers = new Set<() => void>();
  readonly #listener: StreamListener;

  constructor(listener: StreamListener) {
    this.#listener = listener;
  }

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  readonly read = (): Connection => this.#now;

  /** Connects now, even while waiting for the next attempt. */
  readonly open = (): void => {
    this.close();
    const source = new EventSource('/api/events');
    this.#source = source;
    source.onopen = () => {
      this.#attempts = 0;
      const was = this.#now;
      this.#set(was.state === 'lost' ? { state: 'back', since: Date.now() } : { state: 'open' });
      this.#listener.onOpen();
    };
    source.onerror = () => this.#retry();
    for (const type of eventTypes) {
      source.addEventListener(type, ({ data }: MessageEvent<string>) => {
        this.#listener.onEvent(type, JSON.parse(data));
      });
    }
  };

  /** Ends the state `back`. */
  readonly acknowledge = (): void => {
    if (this.#now.state === 'back') this.#set({ state: 'open' });
  };

  close(): void {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = undefined;
  }

  /** Retries here, because the browser gives up on an error status and does not report when it retries. */
  #retry(): void {
    this.close();
    const delay = delays[Math.min(this.#attempts++, delays.length - 1)] ?? 5000;
    const since = this.#now.state === 'lost' ? this.#now.since : Date.now();
    this.#set({ state: 'lost', since, retryAt: Date.now() + delay });
    this.#timer = setTimeout(this.open, delay);
  }

  #set(now: Connection): void {
    this.#now = now;
    for (const watcher of this.#watchers) watcher();
  }
}
