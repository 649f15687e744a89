// Preloaded by the threads that evaluations start: reports their calls to the main thread, which reads and stores them.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import type { Caller } from '../attempt/attempt.js';
import { setStartVariables } from '../child-processes.js';
import { BodyCapture } from './body-capture.js';
import type { CallRecord, CallStart } from './call-record.js';
import { errorLine } from './stored-parts.js';
import { CallWatch } from './watch-calls.js';
import { type CallStep, setupName, type ThreadMessage, type ThreadSetup } from './watch-threads.js';

const setup = getEnvironmentData(setupName) as unknown as ThreadSetup | undefined;
if (setup !== undefined) {
  // Those of its own have another.
  setEnvironmentData(setupName, undefined as never);
  // Nor do they, and processes, inherit these flags.
  const at = process.execArgv.lastIndexOf(fileURLToPath(import.meta.url));
  if (at > 0) process.execArgv.splice(at - 1, 2);
  watchThread(setup);
}

function watchThread({ port, notModels, variables }: ThreadSetup): void {
  setStartVariables(variables);
  port.unref();
  let calls = 0;
  const begin = (start: CallStart): CallRecord => {
    calls += 1;
    const call = calls;
    const record = new ThreadRecord(start, (step) => {
      const at = performance.timeOrigin + performance.now();
      port.postMessage({ call, at, step } satisfies ThreadMessage);
    });
    return record as unknown as CallRecord;
  };
  const caller: Caller = {
    startedAt: performance.now(),
    isRunning: true,
    // All that is used of it.
    calls: {
      begin,
      isUnderWay: () => false,
      spans: { innermost: () => undefined },
    } as unknown as NonNullable<Caller['calls']>,
    notTimed: undefined,
  };
  const watch = new CallWatch({
    sanitizer: () => ({ text: (text) => text, callText: (value) => value }),
    onCalled: () => undefined,
    onTaken: () => undefined,
    onReported: () => undefined,
    onWarning: () => undefined,
    scope: { caller, role: 'target' },
    adoptThread: (threadPort) => {
      port.postMessage({ port: threadPort } satisfies ThreadMessage, [threadPort]);
      return () => undefined;
    },
  });
  // Nothing says when the code of a thread has loaded them.
  const require = createRequire(import.meta.url);
  for (const name of ['node:http', 'node:http2']) require(name);
  watch.start({ capture: 'usage', notModels });
  watch.notice();
}

type Send = (step: CallStep) => void;

/** Sends what is seen of a call: the part of {@link CallRecord} that observers use, without what reads bodies. */
class ThreadRecord {
  readonly start: CallStart;
  readonly request: BodyCapture;
  readonly answer = { size: 0 };
  hasEnded = false;
  readonly #send: Send;

  constructor(start: CallStart, send: Send) {
    const { method, url, isDecoded, isOpaque, program } = start;
    this.start = start;
    this.#send = send;
    this.request = new SentBody(send);
    const sent = {
      ...{ method, url },
      ...(isDecoded && { isDecoded }),
      ...(isOpaque && { isOpaque }),
      ...(program !== undefined && { program }),
    };
    send(['begin', sent]);
  }

  answered(...given: Parameters<CallRecord['answered']>): void {
    this.#send(['answered', ...given]);
  }

  received(piece: Uint8Array | string): void {
    this.answer.size += piece.length;
    this.#send(['received', piece]);
  }

  completed(): void {
    this.#end(['completed']);
  }

  left(): void {
    this.#end(['left']);
  }

  failed(error: unknown): void {
    this.#end(['failed', errorLine(error)]);
  }

  note(text: string): void {
    this.#send(['note', text]);
  }

  #end(step: CallStep): void {
    if (!this.hasEnded) this.#send(step);
    this.hasEnded = true;
  }
}

class SentBody extends BodyCapture {
  readonly #send: Send;

  constructor(send: Send) {
    super();
    this.#send = send;
  }

  override add(piece: Uint8Array | string): undefined {
    this.size += piece.length;
    this.#send(['request', piece]);
    return undefined;
  }
}
