import { EventList } from '../event-list.js';

/** A client of `GET /api/events`. */
export class EventClient extends EventList {
  readonly response: Response;
  /** Resolves when the stream has ended, from whichever side. */
  readonly ended: Promise<void>;
  readonly #abort: AbortController;

  private constructor(response: Response, abort: AbortController) {
    super();
    this.response = response;
    this.#abort = abort;
    this.ended = this.#read().catch((error: unknown) => {
      if (!abort.signal.aborted) throw error;
    });
  }

  /** Connects to the server at `url` and waits for the head of the answer. */
  static async connect(url: string): Promise<EventClient> {
    const abort = new AbortController();
    const response = await fetch(`${url}/api/events`, { signal: abort.signal });
    return new EventClient(response, abort);
  }

  /** Leaves. */
  leave(): void {
    this.#abort.abort();
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of this.response.body ?? []) {
      this.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
    }
  }
}
