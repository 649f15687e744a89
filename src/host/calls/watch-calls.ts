import { channel, subscribe } from 'node:diagnostics_channel';
import { createRequire } from 'node:module';
import type { MessagePort } from 'node:worker_threads';
import { provideStartSpan } from '../../authoring/spans.js';
import type { Call } from '../../model/calls/model-call.js';
import type { StoredCalls } from '../../model/calls/stored-calls.js';
import type { HostMessage, RunnerMessage } from '../../protocol/messages.js';
import type { CallSettings } from '../../recordings/recording.js';
import {
  Attempt,
  type Caller,
  currentScope,
  leaveUntimed,
  provideCosts,
  provideThreadCalls,
  type Scope,
} from '../attempt/attempt.js';
import { observePrograms } from '../child-processes.js';
import type { ImportedCase } from '../imported-evaluations.js';
import type { AiToolEvent } from './attempt-spans.js';
import { costsWith } from './call-costs.js';
import { CallPermissions } from './call-permissions.js';
import { observeSockets } from './observe-sockets.js';
import type { Observer } from './observer.js';
import type { CallSanitizer } from './stored-parts.js';
import { ThreadCalls, watchThreads } from './watch-threads.js';

const require = createRequire(import.meta.url);

type Input = Parameters<typeof fetch>[0];

/** Names of Node's modules that are loaded, in order; it only grows. */
const { moduleLoadList: loadedModules = [] } = process as typeof process & {
  readonly moduleLoadList?: readonly string[];
};

/** Global in which the AI SDK finds its integrations. */
const aiIntegrations = globalThis as {
  AI_SDK_TELEMETRY_INTEGRATIONS?: object[];
};

export interface CallWatchOptions {
  readonly sanitizer: () => CallSanitizer;
  /** Called when calls of an attempt, or of the import of an eval file, have begun or ended. */
  readonly onCalled: (caller: Attempt | string, calls: StoredCalls) => void;
  /** Called when an attempt takes over calls of the import of its eval file, by their numbers there. */
  readonly onTaken: (attempt: Attempt, file: string, numbers: readonly number[]) => void;
  /** Called when several attempts have been reported. */
  readonly onReported: () => void;
  /** Called for errors outside of any attempt. */
  readonly onWarning: (text: string) => void;
  /** Scope of code outside of any other: in a thread of an evaluation. */
  readonly scope?: Scope;
  /** Handles the port on which a new thread reports its calls. Default: its calls are recorded here. */
  readonly adoptThread?: (port: MessagePort) => () => void;
}

/** An import made a model call that was refused. */
class RefusedImport extends Error {
  override name = 'NotRecorded';
}

/** Records the HTTP calls of evaluations. Most of its code is loaded at the first call, or with a module that makes calls. */
export class CallWatch {
  readonly #options: CallWatchOptions;
  /** Imports by name of the eval file. */
  readonly #imports = new Map<string, Caller>();
  /** Eval files whose lookups at import are those of an attempt already. */
  readonly #lookedUp = new Set<string>();
  /** Absent where calls are not observed. */
  #settings: CallSettings | undefined;
  #observer: Observer | undefined;
  #seenModules = 0;
  #questions: CallPermissions | undefined;
  #hasEnded = false;
  #reports: (() => void)[] = [];
  /** The time of what is read from another thread, in monotonic milliseconds. */
  #timeElsewhere: number | undefined;

  constructor(options: CallWatchOptions) {
    this.#options = options;
  }

  /** Call this before any user code, which may keep references to the originals. */
  start(settings: CallSettings): void {
    if (this.#settings !== undefined || settings.capture === 'off') return;
    this.#settings = settings;
    const { notModels, prices, recordings } = settings;
    provideCosts(costsWith(prices));
    this.#watchFetch();
    if (recordings !== undefined) this.#load().holdHttp(require('node:http'));
    if (recordings?.mode === 'offline') {
      subscribe('assay:refused', (host) => {
        const scope = currentScope.getStore();
        if (scope === undefined) return;
        leaveUntimed(scope);
        this.#load().recordings?.refused(scope, String(host));
      });
    }
    // Both are published where a connection, or a request, is about to be made.
    subscribe('net.client.socket', () => this.notice());
    subscribe('undici:request:create', (message) => {
      const scope = this.#scopeOfCalls();
      if (scope !== undefined) this.#load().beginUndici(scope, message);
    });
    observeSockets((start) => {
      const scope = this.#scopeOfCalls();
      return scope && this.#load().beginOnSocket(scope, start);
    });
    observePrograms((name, blocks) => {
      const scope = this.#scopeOfCalls();
      const record = scope && this.#load().beginProgram(scope, name);
      // Whoever is killed while it waits could not report it later.
      if (record !== undefined && blocks) this.#reportAll();
      return record;
    }, notModels);
    watchThreads(notModels, this.#options.adoptThread ?? this.#adoptThreads());
    // What runs inside of what `ai` 7 publishes belongs to its span.
    channel('tracing:ai:telemetry:start').bindStore(currentScope, (message) => {
      const scope = this.#scopeOfCalls();
      return scope === undefined
        ? currentScope.getStore()
        : this.#load().aiPublished(scope, message);
    });
    aiIntegrations.AI_SDK_TELEMETRY_INTEGRATIONS ??= [];
    aiIntegrations.AI_SDK_TELEMETRY_INTEGRATIONS.push(this.#aiIntegration);
    provideStartSpan((span) => {
      const scope = this.#scopeOfCalls();
      return scope && this.#load().beginSpan(scope, { kind: 'span', ...span });
    });
  }

  /** Integration that `ai` 6 calls when it runs a tool; `ai` 7 uses other names and also publishes events. */
  readonly #aiIntegration = {
    onToolCallStart: (event: AiToolEvent) => {
      const scope = this.#scopeOfCalls();
      if (scope !== undefined) this.#load().aiToolStarted(scope, event);
    },
    onToolCallFinish: (event: AiToolEvent) => this.#observer?.aiToolFinished(event),
  };

  /** Checks whether modules that make calls have been loaded since the last check. */
  notice(): void {
    if (loadedModules.length === this.#seenModules || this.#settings === undefined) return;
    const added = loadedModules.slice(this.#seenModules);
    this.#seenModules = loadedModules.length;
    if (added.includes('NativeModule http')) this.#load().observeHttp(require('node:http'));
    if (added.includes('NativeModule http2')) this.#load().observeHttp2(require('node:http2'));
  }

  /** Imports an eval file. The calls that it makes are those of its next attempt, with times before it. */
  async import<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
    const caller: Caller = {
      file,
      startedAt: performance.now(),
      isRunning: true,
      calls: undefined,
      notTimed: undefined,
      recordingSource: this.#settings?.recordings && {
        source: { file },
        keepsTarget: false,
        runId: () => undefined,
        warn: (text) => this.#options.onWarning(`${file}: ${text}`),
      },
    };
    this.#imports.set(file, caller);
    const imported = await currentScope.run({ caller, role: 'file' }, work);
    this.notice();
    // The file may have caught that. What it exports is then not what it would be with the call.
    if (caller.refusal !== undefined) throw new RefusedImport(caller.refusal);
    return imported;
  }

  /** Writes the recordings of imports. */
  saveImports(): void {
    for (const { recording } of this.#imports.values()) recording?.save();
  }

  /** From now on, calls need permission. */
  askFirst(send: (message: HostMessage) => void): void {
    if (this.#questions !== undefined || this.#settings === undefined) return;
    this.#questions = new CallPermissions((message) => void setImmediate(() => send(message)));
    this.#load().holdHttp(require('node:http'));
  }

  /** From now on, calls of models by `fetch` are refused: nobody would hear of them. */
  end(): void {
    this.#hasEnded = true;
  }

  answer(answer: Extract<RunnerMessage, { type: 'answer' }>): void {
    this.#questions?.answer(answer);
  }

  /** Call this when an attempt starts. */
  begin(attempt: Attempt, { descriptor, file, name, spec }: ImportedCase): void {
    this.notice();
    if (this.#settings?.recordings !== undefined) {
      const { stored, trial = 1, run } = attempt.task;
      const { caseId, normalize } = spec;
      attempt.recordingSource = {
        source: { file, evaluation: name, ...(caseId !== undefined && { case: caseId }), trial },
        normalize,
        keepsTarget: stored !== undefined,
        hasVariants: run !== undefined || descriptor.params !== undefined,
        runId: () => attempt.context?.runId,
        warn: (text) => attempt.warnings.add(text),
      };
    }
    const imported = this.#imports.get(file);
    if (imported?.recording !== undefined && !this.#lookedUp.has(file)) {
      this.#lookedUp.add(file);
      attempt.importRecording = imported.recording;
    }
    const stored = attempt.task.stored?.trace;
    if (imported?.calls === undefined && stored === undefined) return;
    const { spans } = stored ?? {};
    const taken = imported === undefined ? [] : takeCalls(imported, attempt);
    if (taken.length > 0) {
      const numbers = taken.map(({ number }) => number);
      this.#options.onTaken(attempt, file, numbers);
    }
    const calls = [...taken, ...(stored?.calls ?? [])];
    if (calls.length > 0 || spans)
      this.#load().callsOf(attempt, { calls, ...(spans && { spans }) });
  }

  #adoptThreads(): (port: MessagePort) => () => void {
    const threads = new ThreadCalls<Scope>({
      scope: () => this.#scopeOfCalls(),
      begin: (scope, start) => this.#load().beginInThread(scope, start),
      at: (time, work) => {
        this.#timeElsewhere = time - performance.timeOrigin;
        try {
          work();
        } finally {
          this.#timeElsewhere = undefined;
        }
      },
    });
    provideThreadCalls(() => threads.readAll());
    return (port) => threads.adopt(port);
  }

  #watchFetch(): void {
    const real = globalThis.fetch;
    const load = () => this.#load();
    const scopeOfCalls = () => this.#scopeOfCalls();
    const hasEnded = () => this.#hasEnded;
    // Of one parameter, like the real one.
    globalThis.fetch = function fetch(input: Input, ...more: [RequestInit?]): Promise<Response> {
      const scope = scopeOfCalls();
      if (scope === undefined) return real(input, ...more);
      if (hasEnded()) return load().fetchAfterEnd(real, scope, [input, ...more]);
      return load().fetch(real, scope, [input, ...more]);
    };
  }

  /** Reports in a microtask: before a call is sent, and before user code, which may end the process, continues. */
  #later(report: () => void): void {
    this.#reports.push(report);
    if (this.#reports.length === 1) queueMicrotask(() => this.#reportAll());
  }

  #reportAll(): void {
    for (const one of this.#reports.splice(0)) one();
    this.#options.onReported();
  }

  #load(): Observer {
    if (this.#observer !== undefined) return this.#observer;
    const { Observer: Loaded } = require('./observer.cjs') as typeof import('./observer.js');
    this.#observer = new Loaded({
      scope: () => this.#scopeOfCalls(),
      runIn: (scope, work) => currentScope.run(scope, work),
      now: () => this.#timeElsewhere ?? performance.now(),
      settings: this.#settings ?? { capture: 'usage' },
      sanitizer: this.#options.sanitizer,
      questions: () => this.#questions,
      later: (report) => this.#later(report),
      onCalled: (caller, calls) => {
        const of = caller instanceof Attempt ? caller : caller.file;
        if (of !== undefined) this.#options.onCalled(of, calls);
      },
    });
    return this.#observer;
  }

  /** Scope of calls of the running code; `undefined` outside of attempts and inside of a call. */
  #scopeOfCalls(): Scope | undefined {
    const scope = currentScope.getStore() ?? this.#options.scope;
    return scope?.isInCall === true ? undefined : scope;
  }
}

/** Ended calls of an import, with times relative to the attempt. */
function takeCalls({ calls, startedAt }: Caller, attempt: Attempt): Call[] {
  const shift = (startedAt - attempt.startedAt) / 1000;
  const shifted = (at: number) => Math.round((at + shift) * 1e6) / 1e6;
  return (calls?.take() ?? []).map((call) => ({
    ...call,
    start: shifted(call.start),
    ...(call.first_token === undefined ? {} : { first_token: shifted(call.first_token) }),
    ...(call.end === undefined ? {} : { end: shifted(call.end) }),
  }));
}
