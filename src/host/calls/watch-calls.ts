import { subscribe } from 'node:diagnostics_channel';
import { createRequire } from 'node:module';
import type { Call, Capture } from '../../model/model-call.js';
import type { StoredCalls } from '../../model/stored-calls.js';
import { type Attempt, currentScope, type Scope } from '../attempt.js';
import type { AttemptCalls } from './attempt-calls.js';
import type { Observer } from './observer.js';

const require = createRequire(import.meta.url);

type Input = Parameters<typeof fetch>[0];

/** Names of Node's modules that are loaded, in order; it only grows. */
const { moduleLoadList: loadedModules = [] } = process as typeof process & {
  readonly moduleLoadList?: readonly string[];
};

/** Sees the HTTP calls of evaluations. Everything but the entrances is loaded at the first call, or with a module that makes calls. */
export class CallWatch {
  readonly #onLate: (attempt: Attempt, calls: StoredCalls) => void;
  #capture: Capture | undefined;
  #observer: Observer | undefined;
  #seenModules = 0;

  /** `onLate` is told of calls that end after their attempt. */
  constructor(onLate: (attempt: Attempt, calls: StoredCalls) => void) {
    this.#onLate = onLate;
  }

  /** To be called before any code of the user's, which may keep what it finds. */
  start(capture: Capture): void {
    if (this.#capture !== undefined || capture === 'off') return;
    this.#capture = capture;
    this.#watchFetch();
    // Both are published where a connection, or a request, is about to be made.
    subscribe('net.client.socket', () => this.notice());
    subscribe('undici:request:create', (message) => {
      const scope = scopeOfCalls();
      if (scope !== undefined) this.#load().beginUndici(scope, message);
    });
  }

  /** Looks whether modules that make calls have been loaded since the last time. */
  notice(): void {
    if (loadedModules.length === this.#seenModules || this.#capture === undefined) return;
    const added = loadedModules.slice(this.#seenModules);
    this.#seenModules = loadedModules.length;
    if (added.includes('NativeModule http')) this.#load().observeHttp(require('node:http'));
    if (added.includes('NativeModule http2')) this.#load().observeHttp2(require('node:http2'));
  }

  /** The calls of an attempt that grades again, after those that its target has made. */
  continueCalls(attempt: Attempt, earlier: readonly Call[]): AttemptCalls {
    return this.#load().callsOf(attempt, earlier);
  }

  #watchFetch(): void {
    const real = globalThis.fetch;
    const load = () => this.#load();
    // Of one parameter, like the real one.
    globalThis.fetch = function fetch(input: Input, ...more: [RequestInit?]): Promise<Response> {
      const scope = scopeOfCalls();
      return scope === undefined
        ? real(input, ...more)
        : load().fetch(real, scope, [input, ...more]);
    };
  }

  #load(): Observer {
    if (this.#observer !== undefined) return this.#observer;
    const { Observer: Loaded } = require('./observer.cjs') as typeof import('./observer.js');
    this.#observer = new Loaded({
      scope: scopeOfCalls,
      runIn: (scope, work) => currentScope.run(scope, work),
      now: () => performance.now(),
      usageOnly: this.#capture === 'usage',
      onLate: this.#onLate,
    });
    return this.#observer;
  }
}

/** What calls of the running code belong to; nothing outside of attempts, and inside of a call. */
function scopeOfCalls(): Scope | undefined {
  const scope = currentScope.getStore();
  return scope?.isInCall === true ? undefined : scope;
}
