import { syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';
import workerThreads, {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  setEnvironmentData,
  type Worker,
  type WorkerOptions,
} from 'node:worker_threads';
import { startVariables } from '../child-processes.js';
import { ownProxy } from '../replace-method.js';
import type { BeginCall, CallRecord, CallStart } from './call-record.js';

/** What a call in another thread begins with. */
type SentStart = Pick<CallStart, 'method' | 'url' | 'isDecoded' | 'isOpaque' | 'program'>;

/** A method of the record of a call, and what it is given. */
type RecordStep = {
  [Step in 'answered' | 'received' | 'completed' | 'left' | 'failed' | 'note']: readonly [
    Step,
    ...Parameters<CallRecord[Step]>,
  ];
};

/** What is seen of a call in another thread, in order: its beginning, pieces of its request, and what happens to its record. */
export type CallStep =
  | readonly ['begin', SentStart]
  | readonly ['request', Uint8Array | string]
  | RecordStep[keyof RecordStep];

/** A step of a call, at a time in milliseconds since the epoch; or a thread of the thread. */
export type ThreadMessage =
  | { readonly call: number; readonly at: number; readonly step: CallStep }
  | { readonly port: MessagePort };

/** What a thread needs to report its calls. */
export interface ThreadSetup {
  readonly port: MessagePort;
  readonly notModels: readonly string[] | undefined;
  /** Those that may make a program run others, as the process was started. */
  readonly variables: ReadonlyMap<string, string>;
}

/** Name of the {@link ThreadSetup} in the environment data of a thread. */
export const setupName = 'assay:calls';

const folder = new URL('.', import.meta.url).href;
const preload = ['--require', fileURLToPath(new URL('./watch-thread.cjs', import.meta.url))];

/**
 * Makes the threads that are started from now on report their calls. `adopt` gets the port on which a thread does, and
 * returns what is to be done when something is sent to the thread.
 */
export function watchThreads(
  notModels: readonly string[] | undefined,
  adopt: (port: MessagePort) => () => void,
): void {
  workerThreads.Worker = ownProxy(workerThreads.Worker, {
    construct(target, given: [unknown, WorkerOptions?, ...unknown[]], made): Worker {
      const [file, options, ...rest] = given;
      if (String(file).startsWith(folder)) return Reflect.construct(target, given, made);
      const { execArgv = process.execArgv, transferList = [] } = options ?? {};
      const { port1, port2 } = new MessageChannel();
      const setup: ThreadSetup = { port: port2, notModels, variables: startVariables() };
      setEnvironmentData(setupName, setup as never);
      try {
        const watched = {
          ...options,
          execArgv: [...execArgv, ...preload],
          transferList: [...transferList, port2],
        };
        const worker = Reflect.construct(target, [file, watched, ...rest], made) as Worker;
        const onSent = adopt(port1);
        const { postMessage } = worker;
        const send = function (this: Worker, ...sent: Parameters<Worker['postMessage']>): void {
          onSent();
          postMessage.apply(this, sent);
        };
        Object.defineProperty(worker, 'postMessage', {
          value: send,
          configurable: true,
          writable: true,
        });
        return worker;
      } finally {
        setEnvironmentData(setupName, undefined as never);
      }
    },
  });
  syncBuiltinESMExports();
}

interface ThreadCallsOptions<Scope> {
  readonly scope: () => Scope | undefined;
  readonly begin: (scope: Scope, start: SentStart) => ReturnType<BeginCall>;
  /** Runs work as at a time, in milliseconds since the epoch. */
  readonly at: (time: number, work: () => void) => void;
}

/** The calls of other threads. They belong to the code that has started the thread, or has last sent something to it. */
export class ThreadCalls<Scope> {
  readonly #options: ThreadCallsOptions<Scope>;
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
      if ('port' in message) this.#listen(message.port, scope);
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
    { call, step }: Extract<ThreadMessage, { readonly call: number }>,
    records: Map<number, CallRecord>,
    scope: Scope | undefined,
  ): void {
    if (step[0] === 'begin') {
      if (scope !== undefined) records.set(call, this.#options.begin(scope, step[1]));
      return;
    }
    const record = records.get(call);
    if (record === undefined) return;
    if (step[0] === 'request') record.request.add(step[1]);
    else {
      const [name, ...given] = step;
      Reflect.apply(record[name], record, given);
    }
    if (record.hasEnded) records.delete(call);
  }
}
