import type { ServerResponse } from 'node:http';
import type { Limits } from './limits.js';
import { ProblemError } from './problem.js';
import type { EventsAnswer } from './route.js';

/** The event streams of a server: limited in number and backlog, closed at shutdown. */
export class EventStreams {
  readonly #limits: Limits;
  readonly #open = new Set<ServerResponse>();
  #isClosed = false;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Sends events until either side closes the stream. Error: 503 when there are too many streams. */
  send(response: ServerResponse, answer: EventsAnswer): void {
    this.#refuseIfFull();
    response.setHeader('Content-Type', 'text/event-stream');
    if (response.req.method === 'HEAD') {
      response.end();
      return;
    }
    if (response.destroyed) return;
    const write = (block: string) => this.#write(response, block);
    const heartbeat = setInterval(() => write(': still here\n\n'), this.#limits.heartbeat);
    let unsubscribe = () => {};
    this.#open.add(response);
    response.once('close', () => {
      clearInterval(heartbeat);
      this.#open.delete(response);
      unsubscribe();
    });
    write(': hello\n\n');
    unsubscribe = answer.subscribe(write);
  }

  /** Closes all streams and accepts no more. */
  close(): void {
    this.#isClosed = true;
    for (const response of this.#open) response.end();
  }

  #write(response: ServerResponse, block: string): void {
    if (response.writableEnded || response.destroyed) return;
    if (response.writableLength > this.#limits.eventBacklog) response.destroy();
    else response.write(block);
  }

  #refuseIfFull(): void {
    if (this.#isClosed) throw new ProblemError(503, 'The server is shutting down.');
    if (this.#open.size < this.#limits.eventStreams) return;
    throw new ProblemError(
      503,
      `${this.#limits.eventStreams} event streams are open already; close a tab or end another client.`,
      { headers: { 'Retry-After': '5' } },
    );
  }
}
