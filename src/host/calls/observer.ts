import type { Call } from '../../model/model-call.js';
import type { StoredCalls } from '../../model/stored-calls.js';
import type { Caller, Scope } from '../attempt.js';
import { askToFetch } from './ask-to-fetch.js';
import { AttemptCalls } from './attempt-calls.js';
import type { CallQuestions } from './call-questions.js';
import type { BeginCall } from './call-record.js';
import type { CallSanitizer } from './clean-call.js';
import { observeFetch } from './observe-fetch.js';
import { observeHttp } from './observe-http.js';
import { observeHttp2 } from './observe-http2.js';
import { observeUndici } from './observe-undici.js';

/** What the part of the host that is loaded first gives to this one, which is loaded at the first call. */
export interface ObserverOptions {
  /** What calls of the running code belong to; nothing where they are recorded elsewhere. */
  readonly scope: () => Scope | undefined;
  readonly runIn: <Result>(scope: Scope, work: () => Result) => Result;
  /** Milliseconds of a clock that nobody has changed. */
  readonly now: () => number;
  /** Keep numbers and no text. */
  readonly usageOnly: boolean;
  readonly sanitizer: () => CallSanitizer;
  /** What calls have to ask; absent when they need not. */
  readonly questions: () => CallQuestions | undefined;
  /** Does work in a moment, together with other work of this kind. */
  readonly later: (work: () => void) => void;
  readonly onCalled: (caller: Caller, calls: StoredCalls) => void;
}

/** Records the HTTP calls of attempts, and of the imports of eval files. */
export class Observer {
  readonly #options: ObserverOptions;
  readonly #onUndiciRequest: ReturnType<typeof observeUndici>;

  constructor(options: ObserverOptions) {
    this.#options = options;
    this.#onUndiciRequest = observeUndici();
  }

  /** Makes a call by `fetch` for the code in a scope. */
  fetch(real: typeof fetch, scope: Scope, given: Parameters<typeof fetch>): Promise<Response> {
    const questions = this.#options.questions();
    const begin = this.#beginIn(scope);
    const runInCall = <Result>(work: () => Result) =>
      this.#options.runIn({ ...scope, isInCall: true }, work);
    if (questions === undefined) return observeFetch(real, given, begin, runInCall);
    return askToFetch(questions, scope.caller, given, (asked) => {
      const beginAsked: BeginCall = (start) => begin({ ...start, ...asked });
      return observeFetch(real, given, beginAsked, runInCall);
    });
  }

  observeHttp(http: typeof import('node:http')): void {
    observeHttp(http, () => this.#beginHere());
  }

  observeHttp2(http2: typeof import('node:http2')): void {
    observeHttp2(http2, () => this.#beginHere());
  }

  /** Takes in a request that a copy of undici has published. */
  beginUndici(scope: Scope, message: unknown): void {
    this.#onUndiciRequest(message, this.#beginIn(scope));
  }

  /** The calls of an attempt or import, `earlier` before them. */
  callsOf(caller: Caller, earlier: readonly Call[] = []): AttemptCalls {
    const { now, onCalled } = this.#options;
    caller.calls ??= new AttemptCalls({
      ...this.#options,
      now: () => Math.round((now() - caller.startedAt) * 1000) / 1e6,
      earlier,
      onCalled: (calls) => onCalled(caller, calls),
    });
    return caller.calls;
  }

  #beginHere(): BeginCall | undefined {
    const scope = this.#options.scope();
    return scope && this.#beginIn(scope);
  }

  #beginIn({ caller, role }: Scope): BeginCall {
    return (start) => this.callsOf(caller).begin({ ...start, role });
  }
}
