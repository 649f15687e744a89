import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { BeginCall, CallRecord } from './call-record.js';
import type { SentStart, ThreadMessage } from './watch-threads.js';

export interface ThreadCallsOptions<Scope> {
  /** Scope of the running code. */
  readonly scope: () => Scope | undefined;
  /** Begins a call in a scope. */
  readonly begin: (scope: Scope, start: SentStart) => ReturnType<BeginCall>;
  /** Runs work as at a time, in milliseconds since the epoch. */
  readonly at: (time: number, work: () => void) => void;
}

/** The calls of other threads. They belong to the code that has started the thread, or has last sent something to it. */
export class ThreadCalls<Scope> {
  readonly #options: ThreadCallsOptions<Scope>;
  /** What handles the messages of each thread. */
  readonly #ports = new Map<MessagePort, (message: ThreadMessage) => void>();

  constructor(options: ThreadCallsOptions<Scope>) {
    this.#options = options;
  }

  /** Reads what a thread reports. Returns a function to call when something is sent to it. */
  adopt(port: MessagePort): () => void {
    let scope = this.#options.scope();
    this.#listen(port, () => scope);
    return () => {
      scope = this.#options.scope() ?? scope;
    };
  }

  /** Reads what threads have reported so far. */
  readAll(): void {
    for (const [port, handle] of this.#ports) {
      for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) {
        handle(next.message as ThreadMessage);
      }
    }
  }

  #listen(port: MessagePort, scope: () => Scope | undefined): void {
    const records = new Map<number, CallRecord>();
    const handle = (message: ThreadMessage) => {
      if (message.type === 'thread') this.#listen(message.port, scope);
      else this.#options.at(message.at, () => this.#take(message, records, scope()));
    };
    this.#ports.set(port, handle);
    port.on('message', handle);
    port.once('close', () => {
      this.#ports.delete(port);
      for (const record of records.values()) record.failed(new Error('its thread has ended'));
    });
    port.unref();
  }

  #take(
    message: Exclude<ThreadMessage, { readonly type: 'thread' }>,
    records: Map<number, CallRecord>,
    scope: Scope | undefined,
  ): void {
    if (message.type === 'begin') {
      if (scope !== undefined) {
        records.set(message.call, this.#options.begin(scope, message.start));
      }
      return;
    }
    const record = records.get(message.call);
    if (record === undefined) return;
    switch (message.type) {
      case 'request':
        record.request.add(message.piece);
        return;
      case 'answered':
        record.answered(...message.given);
        return;
      case 'received':
        record.received(message.piece);
        return;
      case 'note':
        record.note(message.text);
        return;
      case 'failed':
        record.failed(message.text);
        break;
      case 'completed':
        record.completed();
        break;
      case 'left':
        record.left();
    }
    records.delete(message.call);
  }
}
