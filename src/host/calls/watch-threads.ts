import { syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';
import workerThreads, {
  MessageChannel,
  type MessagePort,
  setEnvironmentData,
  type Worker,
  type WorkerOptions,
} from 'node:worker_threads';
import { startVariables } from '../child-processes.js';
import { ownProxy } from '../own-proxy.js';
import type { CallStart } from './call-record.js';

/** What is seen of a call in another thread, in order. `at` is in milliseconds since the epoch. */
export type ThreadMessage =
  | {
      readonly type: 'begin';
      readonly call: number;
      readonly at: number;
      readonly start: SentStart;
    }
  | {
      readonly type: 'request' | 'received';
      readonly call: number;
      readonly at: number;
      readonly piece: Uint8Array | string;
    }
  | {
      readonly type: 'answered';
      readonly call: number;
      readonly at: number;
      readonly given: readonly [
        status: number,
        headers: Readonly<Record<string, string>>,
        url?: string | undefined,
      ];
    }
  | { readonly type: 'completed' | 'left'; readonly call: number; readonly at: number }
  | {
      readonly type: 'failed' | 'note';
      readonly call: number;
      readonly at: number;
      readonly text: string;
    }
  /** A thread of the thread. */
  | { readonly type: 'thread'; readonly port: MessagePort };

export type SentStart = Pick<CallStart, 'method' | 'url' | 'isDecoded' | 'isOpaque' | 'program'>;

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
