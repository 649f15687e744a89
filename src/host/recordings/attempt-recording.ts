import { AsyncLocalStorage } from 'node:async_hooks';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { unwatchedly } from '../../authoring/case-files/read-as-cases.js';
import type {
  FailedAttempt,
  RecordedExchange,
  RecordedRequest,
  RecordingLookups,
  RecordingMiss,
  RecordingOptions,
  RecordingSource,
} from '../../recordings/recording.js';
import {
  filesIn,
  firstVersionPath,
  folderOfAttempt,
  folderOfExchange,
  folderOfFile,
  nameOf,
  readExchanges,
  removePlain,
  type StoredExchange,
  writeExchange,
} from '../../recordings/recording-files.js';
import { pathWord } from '../../text/shell-word.js';
import { type Asker, keyOf, type NormalizeBody, type RequestKey } from './compared-request.js';
import { findNearest, type NearestExchange } from './nearest-exchange.js';
import type { SharedRecordings } from './shared-recordings.js';

/** The code that makes calls, as recordings need it. */
export interface CallerRecording {
  readonly source: RecordingSource;
  /** The evaluation's own. */
  readonly normalize?: NormalizeBody | undefined;
  /** The target is not called again: its exchanges stay when the others are recorded anew. */
  readonly keepsTarget: boolean;
  readonly runId: () => string | undefined;
  /** Reports a problem of the recording. */
  readonly warn: (text: string) => void;
}

export interface AttemptRecordingOptions
  extends Pick<RecordingOptions, 'mode' | 'folder'>,
    Omit<CallerRecording, 'normalize'> {
  /** Absent where bodies are compared as they are. */
  readonly normalizeBody: NormalizeBody | undefined;
  readonly shared: SharedRecordings;
}

/** A recorded exchange that answers a request. */
export interface TakenExchange {
  readonly exchange: RecordedExchange;
  /** Name of its file, from the folder of its attempt; if it is shared, path from that of its eval file, or, with a leading `/`, from that of recordings. */
  readonly name: string;
  readonly isShared: boolean;
}

/** An exchange in progress, to be recorded when it succeeds. */
export interface OpenExchange {
  readonly name: string;
  readonly isShared: boolean;
  readonly store: (response: RecordedExchange['response']) => void;
  /** Registers an attempt that may fail, to be stored with a later recording of the same request; `read` returns `undefined` if it has not failed. */
  readonly mayFail: (read: () => FailedAttempt | undefined) => void;
}

/** A request that is under way, or has failed. */
interface NotStored {
  readonly key: string;
  readonly path: string;
  readonly place: number;
  readFailure: () => FailedAttempt | undefined;
}

/** What was there when an attempt made its first request. */
interface Before {
  readonly stored: readonly StoredExchange[];
  /** Exchanges that have not answered yet, in order, by request; each answers once. */
  readonly unused: ReadonlyMap<string, StoredExchange[]>;
  /** Files that cannot be used. */
  readonly damaged: readonly string[];
  /** Why, as sentences without their full stops. */
  readonly problems: readonly string[];
}

/** The recorded exchanges of one attempt, stored and new ones. */
export class AttemptRecording {
  readonly #options: AttemptRecordingOptions;
  /** Path of its folder. */
  readonly folder: string;
  #before: Before | undefined;
  readonly #inScope = AsyncLocalStorage.snapshot();
  /** Number of requests that other attempts have, or would have, answered. */
  readonly #turns = new Map<string, number>();
  /** Exchanges to be written, by path. */
  #new = new Map<string, RecordedExchange>();
  readonly #written = new Set<string>();
  /** Requests that are not stored, in order. */
  #notStored: NotStored[] = [];
  #begun = 0;
  readonly #missed: Partial<RecordingMiss>[] = [];
  #found = 0;
  #local = 0;
  #isSaved = false;

  constructor(options: AttemptRecordingOptions) {
    this.#options = options;
    this.folder = folderOfAttempt(options.source);
  }

  /** Lookups of its requests so far. */
  get lookups(): RecordingLookups {
    const unrecorded = this.#notStored.length;
    const unused = this.#unused;
    return {
      found: this.#found,
      missed: this.#missed,
      ...(unrecorded > 0 && { unrecorded }),
      ...(this.#local > 0 && { local: this.#local }),
      ...(unused > 0 && { unused }),
    };
  }

  get #unused(): number {
    const { mode, keepsTarget } = this.#options;
    if (mode !== 'record' || this.#before === undefined) return 0;
    const left = [...this.#before.unused.values()].flat();
    return left.filter(({ exchange }) => !keepsTarget || exchange.role !== 'target').length;
  }

  /** Reports a problem. */
  readonly warn = (text: string): void => this.#options.warn(text);

  /** Counts a request to this machine that is not recorded; offline, nothing is. */
  countLocal(): void {
    if (this.#options.mode !== 'offline') this.#local += 1;
  }

  /** Counts a request or connection that is refused and could not have been recorded. */
  countRefused(): void {
    this.#missed.push({});
  }

  /** Why files that may be those of a request cannot be used, as sentences without their full stops. */
  problemsOf(role: string, request: RecordedRequest): readonly string[] {
    const { problems } = this.#read();
    if (problems.length > 0) return problems;
    return this.#options.shared.problemsOf(this.#key(role, request));
  }

  /** The recorded exchange of a request; each answers only one request. */
  take(role: string, request: RecordedRequest): TakenExchange | undefined {
    if (this.#options.mode === 'record-all') return undefined;
    const found = this.#read().unused.get(this.#key(role, request).own)?.shift();
    if (found === undefined) return undefined;
    return this.#taken(found, false);
  }

  /** The exchange of another attempt, where this one has none of a request. */
  takeShared(role: string, request: RecordedRequest): TakenExchange | undefined {
    const { mode, shared } = this.#options;
    const key = this.#key(role, request);
    const { unused, damaged } = this.#read();
    // A file that cannot be used may be that of this request.
    if (mode === 'record-all' || unused.has(key.own) || damaged.length > 0) return undefined;
    const found = shared.find(key, this.#asker(key));
    if (found === undefined) return undefined;
    this.#countTurn(key);
    return this.#taken(found, true);
  }

  #taken({ path, name, exchange }: StoredExchange, isShared: boolean): TakenExchange {
    this.#found += 1;
    this.#noteRead(path);
    return { exchange, name: isShared ? this.#sharedName(path, name) : name, isShared };
  }

  /** Notes a request that is not recorded; gives the recorded exchange that it is most like. */
  miss(role: string, request: RecordedRequest): NearestExchange | undefined {
    const { stored } = this.#read();
    const nearest = findNearest(role, request, stored, this.#options.normalizeBody);
    const { path, before = '' } = nearest ?? {};
    this.#missed.push(path === undefined ? {} : { path, before });
    return nearest;
  }

  /** The command that records what is missing. */
  get recordCommand(): string {
    const { keepsTarget, runId, source } = this.#options;
    if (keepsTarget) return `assay run --regrade ${runId() ?? 'latest'} --replay`;
    const { file, evaluation, case: caseId } = source;
    const name = evaluation === undefined ? '' : `::${evaluation}`;
    return `assay run ${pathWord(`${file}${name}${caseId === undefined ? '' : `[${caseId}]`}`)} --record`;
  }

  /** Makes place for the exchange of a request that is about to be made. */
  begin(role: string, request: RecordedRequest): OpenExchange {
    const key = this.#key(role, request);
    const shared = this.#sharedPath(key);
    const path = shared ?? this.#freePath(key);
    this.#begun += 1;
    const own: NotStored = {
      ...{ key: key.own, path, place: this.#begun },
      readFailure: () => undefined,
    };
    this.#notStored.push(own);
    return {
      name: shared === undefined ? nameOf(path) : this.#sharedName(path, nameOf(path)),
      isShared: shared !== undefined,
      mayFail: (read) => {
        own.readFailure = read;
      },
      store: (response) => {
        const failed = this.#takeFailures(own);
        this.#new.set(path, { role, request, ...(failed.length > 0 && { failed }), response });
        // It ended after its attempt.
        if (this.#isSaved) this.save();
      },
    };
  }

  /** Writes what has been recorded. */
  save(): void {
    this.#isSaved = true;
    if (this.#before === undefined || this.#options.mode === 'offline') return;
    unwatchedly(() => {
      this.#writeNew();
      if (this.#options.mode !== 'replay') this.#putInOrder();
      const hasAny = this.#written.size + this.#read().stored.length > 0;
      const { shared, source } = this.#options;
      if (!hasAny) return;
      this.#change(folderOfFile(source.file, 'keys'), () => shared.noteKeys(), false);
    });
    for (const path of this.#written) this.#noteRead(path);
  }

  #writeNew(): void {
    const { source, folder } = this.#options;
    for (const [path, exchange] of this.#new) {
      const isOwn = path.startsWith(`${this.folder}/`);
      const owner = isOwn ? source : { file: source.file };
      this.#change(path, () => writeExchange(folder, { path, source: owner, exchange }));
    }
    this.#new.clear();
  }

  /** Rewrites a file of the first version, and removes what was asked for before and is not any more, if everything is asked for anew. */
  #putInOrder(): void {
    const { mode, folder, source, keepsTarget } = this.#options;
    const { stored, damaged } = this.#read();
    const isAnew = mode === 'record-all' && this.#written.size > 0 && this.#notStored.length === 0;
    const gone = (one: StoredExchange) =>
      isAnew && !(keepsTarget && one.exchange.role === 'target') && !this.#written.has(one.path);
    const first = firstVersionPath(source);
    const left = stored.filter((one) => one.path === first && !gone(one));
    const isRewritten = left.every(({ exchange }) => {
      const path = this.#freePath(this.#key(exchange.role, exchange.request));
      return this.#change(path, () => writeExchange(folder, { path, source, exchange }));
    });
    const unneeded = stored.filter((one) => (one.path === first ? isRewritten : gone(one)));
    const isReplaced = damaged.includes(first) && this.#written.size > 0;
    const paths = [...unneeded.map((one) => one.path), ...(isReplaced ? [first] : [])];
    for (const path of new Set(paths)) {
      this.#change(path, () => removePlain(folder, path), false);
    }
    this.#before = { ...this.#read(), stored: stored.filter((one) => !unneeded.includes(one)) };
  }

  /** Writes or removes a file; false, and a warning, if that fails. */
  #change(path: string, work: () => void, isWritten = true): boolean {
    try {
      work();
      if (isWritten) this.#written.add(path);
      return true;
    } catch (error) {
      const { message } = error as Error;
      this.#options.warn(`the recording ${path} could not be written: ${message}`);
      return false;
    }
  }

  /** Failed earlier attempts at a stored request. */
  #takeFailures(stored: NotStored): FailedAttempt[] {
    const failed: FailedAttempt[] = [];
    this.#notStored = this.#notStored.filter((one) => {
      if (one === stored) return false;
      const isEarlier = one.place < stored.place && one.key === stored.key;
      const failure = isEarlier ? one.readFailure() : undefined;
      if (failure !== undefined) failed.push(failure);
      return failure === undefined;
    });
    return failed;
  }

  /** Where to store an exchange that several cases ask for. */
  #sharedPath(key: RequestKey): string | undefined {
    const { mode, shared } = this.#options;
    const path = shared.pathFor(key, this.#asker(key), mode === 'record-all');
    if (path !== undefined) this.#countTurn(key);
    return path;
  }

  /** The first path that is not in use. */
  #freePath({ own }: RequestKey): string {
    const { mode } = this.#options;
    const { stored, damaged } = this.#read();
    const open = this.#notStored.filter((one) => one.readFailure() === undefined);
    const used = new Set([
      ...(mode === 'record-all' ? [] : stored.map(({ path }) => path)),
      // A new recording mends it.
      ...(mode === 'replay' ? damaged : []),
      ...open.map(({ path }) => path),
      ...this.#new.keys(),
      ...this.#written,
    ]);
    for (let number = 1; ; number += 1) {
      const path = `${this.folder}/${own}-${number}.json`;
      if (!used.has(path)) return path;
    }
  }

  #asker({ request }: RequestKey): Asker {
    const { source, normalizeBody: normalize } = this.#options;
    const isRecorded = this.#read().stored.length > 0;
    return { source, isRecorded, turn: this.#turns.get(request) ?? 0, normalize };
  }

  #countTurn({ request }: RequestKey): void {
    this.#turns.set(request, (this.#turns.get(request) ?? 0) + 1);
  }

  #sharedName(path: string, name: string): string {
    const from = `${folderOfFile(this.#options.source.file)}/`;
    const whole = `${folderOfExchange({ path, name })}/${name}`;
    return whole.startsWith(from) ? whole.slice(from.length) : `/${whole}`;
  }

  #read(): Before {
    this.#before ??= unwatchedly(() => this.#readAll());
    return this.#before;
  }

  #readAll(): Before {
    const { folder, mode, source, warn } = this.#options;
    const stored: StoredExchange[] = [];
    const damaged: string[] = [];
    const problems: string[] = [];
    const failed = (path: string, error: unknown) => {
      damaged.push(path);
      const problem = `the recording ${path} ${(error as Error).message}`;
      problems.push(problem);
      if (mode === 'replay') warn(`${problem}; it is left as it is`);
    };
    const first = firstVersionPath(source);
    for (const path of [...this.#files(failed), first]) {
      try {
        stored.push(...(readExchanges(folder, path, { isListed: path !== first }) ?? []));
      } catch (error) {
        failed(path, error);
      }
    }
    const unused = new Map<string, StoredExchange[]>();
    for (const one of stored) {
      const { own } = this.#key(one.exchange.role, one.exchange.request);
      const alike = unused.get(own);
      if (alike === undefined) unused.set(own, [one]);
      else alike.push(one);
    }
    return { stored, unused, damaged, problems };
  }

  #files(failed: (path: string, error: unknown) => void): string[] {
    try {
      return filesIn(this.#options.folder, this.folder);
    } catch (error) {
      failed(this.folder, new Error(`cannot be read: ${(error as Error).message}`));
      return [];
    }
  }

  /** A result depends on the recordings that have answered: the watch of reads sees this look. */
  #noteRead(path: string): void {
    this.#inScope(() => statSync(join(this.#options.folder, path), { throwIfNoEntry: false }));
  }

  #key(role: string, request: RecordedRequest): RequestKey {
    return keyOf(role, request, this.#options.normalizeBody);
  }
}
