import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { unwatchedly } from '../../authoring/case-files/read-as-cases.js';
import { lookAt } from '../../files/regular-file.js';
import {
  type FailedAttempt,
  keyOf,
  type RecordedExchange,
  type RecordedRequest,
  type RecordingLookups,
  type RecordingMiss,
  type RecordingOptions,
  type RecordingSource,
  type RequestKey,
} from '../../recordings/recording.js';
import {
  type DamagedRecording,
  filesIn,
  firstVersionPath,
  folderOfAttempt,
  folderOfFile,
  isPlainFolder,
  placeOf,
  readAll,
  removePlain,
  type StoredExchange,
  writeExchange,
} from '../../recordings/recording-files.js';
import { pathWord } from '../../text/shell-word.js';
import {
  comparedKey,
  comparedRequest,
  findNearest,
  type NearestExchange,
  type NormalizeBody,
} from './compared-request.js';
import {
  type BodySanitizer,
  type CallRecording,
  hasFailed,
  isWhole,
  type ObservedAnswer,
  toFailedAttempt,
  toRecordedResponse,
} from './recorded-parts.js';
import type { SharedRecordings } from './shared-recordings.js';

/** The code that makes calls, as recordings need it. */
export interface CallerRecording {
  readonly source: RecordingSource;
  /** The evaluation's own. */
  readonly normalize?: NormalizeBody | undefined;
  /** The target is not called again: its exchanges stay when the others are recorded anew. */
  readonly keepsTarget: boolean;
  /** Runs with other params have this attempt, too, so that what it does not ask for may be theirs. Default false. */
  readonly hasVariants?: boolean;
  readonly runId: () => string | undefined;
  /** Reports a problem of the recording. */
  readonly warn: (text: string) => void;
}

export interface AttemptRecordingOptions
  extends Pick<RecordingOptions, 'mode' | 'folder'>,
    Omit<CallerRecording, 'normalize'> {
  /** Absent where bodies are compared as they are. */
  readonly normalize: NormalizeBody | undefined;
  readonly shared: SharedRecordings;
  readonly sanitizer: () => BodySanitizer;
}

/** A recorded exchange that answers a request. */
export interface TakenExchange extends Pick<CallRecording, 'name' | 'isShared'> {
  readonly exchange: RecordedExchange;
}

/** A request that was made, in order. */
interface MadeRequest {
  readonly key: string;
  readonly path: string;
  /** Set once its answer is worth keeping. */
  exchange?: RecordedExchange;
  isWritten?: boolean;
  /** Its failure, of which a later recording of an equal request tells; `undefined` if it has not failed. */
  readFailure: () => FailedAttempt | undefined;
}

/** The recordings at the first request of an attempt. */
interface Before {
  readonly stored: readonly StoredExchange[];
  /** Exchanges that have not answered yet, in order, by request; each answers once. */
  readonly unused: ReadonlyMap<string, StoredExchange[]>;
  readonly damaged: readonly DamagedRecording[];
}

/** The recorded exchanges of one attempt, stored and new ones. */
export class AttemptRecording {
  readonly #options: AttemptRecordingOptions;
  /** Path of its folder. */
  readonly folder: string;
  #before: Before | undefined;
  /** Number of equal requests that were answered, by the hash in the names of their files. */
  readonly #answered = new Map<string, number>();
  #isPlain: boolean | undefined;
  /** Runs work in the scope of its requests, also after its end. */
  #inScope: ReturnType<typeof AsyncLocalStorage.snapshot> | undefined;
  /** Number of requests that other attempts have, or would have, answered. */
  readonly #turns = new Map<string, number>();
  #made: MadeRequest[] = [];
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
    const unrecorded = this.#made.filter(({ exchange }) => exchange === undefined).length;
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
    const { mode, hasVariants } = this.#options;
    if (mode !== 'record' || hasVariants === true || this.#before === undefined) return 0;
    return [...this.#before.unused.values()].flat().filter((one) => !this.#isKept(one)).length;
  }

  /** Where the target is not called now, the next run needs its exchanges. */
  #isKept({ exchange }: StoredExchange): boolean {
    return this.#options.keepsTarget && exchange.role === 'target';
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
    const { damaged } = this.#read();
    if (damaged.length > 0) return damaged.map(({ problem }) => `the recording ${problem}`);
    return this.#options.shared.problemsOf(this.#key(role, request));
  }

  /** The recorded exchange of a request; each answers only one request. */
  take(role: string, request: RecordedRequest, follows = false): TakenExchange | undefined {
    const { mode, normalize } = this.#options;
    if (mode === 'record-all') return undefined;
    const compared = comparedRequest(request, normalize);
    const { own } = keyOf(role, compared);
    const named = mode === 'offline' ? this.#takeByName(own, role, compared) : undefined;
    if (named !== undefined && answers(named.exchange, follows)) {
      return this.#taken(named, own, false);
    }
    if (this.#hasMoved(own)) return undefined;
    const alike = this.#read().unused.get(own) ?? [];
    const at = alike.findIndex(({ exchange }) => answers(exchange, follows));
    const [found] = at === -1 ? [] : alike.splice(at, 1);
    return found && this.#taken(found, own, false);
  }

  /** Looks for the file that the request would have; most have that name, and the folder need not be read. */
  #takeByName(own: string, role: string, compared: RecordedRequest): StoredExchange | undefined {
    const { folder, normalize } = this.#options;
    if (this.#before !== undefined) return undefined;
    const path = `${this.folder}/${own}-${this.#nextOf(own)}.json`;
    const found = unwatchedly(() => {
      this.#isPlain ??= isPlainFolder(folder, this.folder);
      return this.#isPlain ? readAll(folder, [path], [])[0] : undefined;
    });
    if (found === undefined || found.exchange.role !== role) return undefined;
    // Somebody may have edited it.
    const stored = comparedRequest(found.exchange.request, normalize);
    return isDeepStrictEqual(stored, compared) ? found : undefined;
  }

  /** The number of the next of equal requests, from 1. */
  #nextOf(own: string): number {
    return (this.#answered.get(own) ?? 0) + 1;
  }

  /** True if another branch has moved the next of its own to those of several cases, and not the later ones. */
  #hasMoved(own: string): boolean {
    const number = this.#nextOf(own);
    const [next] = this.#read().unused.get(own) ?? [];
    if (next === undefined || !(numberOf(next, own) > number)) return false;
    return this.#options.shared.has(`${own}-${number}`);
  }

  /** The exchange of another attempt, where this one has none of a request. */
  takeShared(role: string, request: RecordedRequest, follows = false): TakenExchange | undefined {
    const { mode, shared } = this.#options;
    const key = this.#key(role, request);
    const { unused, damaged } = this.#read();
    // A file that cannot be used may be that of this request.
    const isOwn = unused.has(key.own) && !this.#hasMoved(key.own);
    if (mode === 'record-all' || isOwn || damaged.length > 0) return undefined;
    const found = shared.find(key, this.#asker(key));
    if (found === undefined || !answers(found.exchange, follows)) return undefined;
    this.#countTurn(key);
    return this.#taken(found, key.own, true);
  }

  #taken({ path, id, exchange }: StoredExchange, own: string, isShared: boolean): TakenExchange {
    this.#found += 1;
    this.#answered.set(own, this.#nextOf(own));
    this.#noteRead(path);
    return { exchange, name: this.#nameOf(id, isShared), isShared };
  }

  #nameOf(id: string, isShared: boolean): string {
    if (!isShared) return placeOf(id).name;
    const from = `${folderOfFile(this.#options.source.file)}/`;
    return id.startsWith(from) ? id.slice(from.length) : `/${id}`;
  }

  /** Notes a request that is not recorded; gives the recorded exchange that it is most like. */
  miss(role: string, request: RecordedRequest): NearestExchange | undefined {
    const nearest = findNearest(role, request, this.#read().stored, this.#options.normalize);
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

  /** Reserves a file for a request that is about to be made; the exchange is stored when it succeeds. */
  begin(role: string, request: RecordedRequest): CallRecording {
    const { sanitizer } = this.#options;
    this.#inScope ??= AsyncLocalStorage.snapshot();
    const key = this.#key(role, request);
    const sharedPath = this.#sharedPath(key);
    const path = sharedPath ?? this.#freePath(key);
    const made: MadeRequest = { key: key.own, path, readFailure: () => undefined };
    this.#made.push(made);
    const isShared = sharedPath !== undefined;
    return {
      ...{ name: this.#nameOf(path.slice(0, -'.json'.length), isShared), isShared },
      begun: (observe) => {
        made.readFailure = () => {
          const answer = observe();
          return hasFailed(answer) ? toFailedAttempt(answer, sanitizer()) : undefined;
        };
      },
      ended: (answer) => this.#ended(made, role, request, answer),
    };
  }

  #ended(made: MadeRequest, role: string, request: RecordedRequest, answer: ObservedAnswer) {
    const sanitizer = this.#options.sanitizer();
    if (!isWhole(answer)) {
      if (!answer.hasEnded) return false;
      // The call forgets it.
      const failed = toFailedAttempt(answer, sanitizer);
      made.readFailure = () => failed;
      return false;
    }
    const response = toRecordedResponse(answer, request.url, sanitizer);
    if (response === undefined) {
      const why =
        answer.chunks === undefined
          ? 'it has more than 16 MiB'
          : 'it is binary and has a secret in it';
      this.warn(`an answer of ${request.url} was not recorded: ${why}`);
      return false;
    }
    const failed = this.#takeFailures(made);
    made.exchange = { role, request, ...(failed.length > 0 && { failed }), response };
    // It ended after its attempt.
    if (this.#isSaved) this.save();
    return true;
  }

  /** Failed earlier attempts at a request. */
  #takeFailures(made: MadeRequest): FailedAttempt[] {
    const failed: FailedAttempt[] = [];
    const end = this.#made.indexOf(made);
    this.#made = this.#made.filter((one, at) => {
      const isEarlier = at < end && one.exchange === undefined && one.key === made.key;
      const failure = isEarlier ? one.readFailure() : undefined;
      if (failure !== undefined) failed.push(failure);
      return failure === undefined;
    });
    return failed;
  }

  /** Writes what has been recorded. */
  save(): void {
    this.#isSaved = true;
    if (this.#before === undefined || this.#options.mode === 'offline') return;
    const { source, folder, shared } = this.#options;
    unwatchedly(() => {
      for (const made of this.#made) {
        const { path, exchange } = made;
        if (exchange === undefined || made.isWritten === true) continue;
        made.isWritten = true;
        const owner = path.startsWith(`${this.folder}/`) ? source : { file: source.file };
        this.#change(path, () => writeExchange(folder, { path, source: owner, exchange }));
      }
      for (const path of this.#replaced()) this.#change(path, () => removePlain(folder, path));
      if (this.#written.length + this.#read().stored.length === 0) return;
      this.#change(folderOfFile(source.file, 'keys'), () => shared.noteKeys());
    });
    for (const path of this.#written) this.#noteRead(path);
  }

  get #written(): string[] {
    return this.#made.filter(({ isWritten }) => isWritten).map(({ path }) => path);
  }

  /** Paths of files that the new ones replace, and of a file of the first version that could not be used. */
  #replaced(): Set<string> {
    const { mode, source } = this.#options;
    const { stored, damaged } = this.#read();
    const written = this.#written;
    if (mode === 'replay' || written.length === 0) return new Set();
    const first = damaged.filter(({ path }) => path === firstVersionPath(source));
    const isAnew = mode === 'record-all' && written.length === this.#made.length;
    const old = isAnew ? stored.filter((one) => this.#isOwn(one)) : [];
    const kept = new Set([
      ...written,
      ...old.filter((one) => this.#isKept(one)).map(({ path }) => path),
    ]);
    return new Set([...old, ...first].map(({ path }) => path).filter((path) => !kept.has(path)));
  }

  /** False for what it has not asked for, which may be of a run with other params. */
  #isOwn({ exchange: { role, request } }: StoredExchange): boolean {
    const { own } = this.#key(role, request);
    return this.#made.some(({ key }) => key === own);
  }

  /** Writes or removes a file, or warns that this has failed. */
  #change(path: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.warn(`the recording ${path} could not be written: ${(error as Error).message}`);
    }
  }

  /** Where to store an exchange that several cases ask for. */
  #sharedPath(key: RequestKey): string | undefined {
    const { mode, shared } = this.#options;
    if (mode !== 'record-all' && this.#read().unused.has(key.own)) return undefined;
    const path = shared.pathFor(key, this.#asker(key));
    if (path !== undefined) this.#countTurn(key);
    return path;
  }

  /** The first path that is not in use. */
  #freePath({ own }: RequestKey): string {
    const { mode } = this.#options;
    const { stored, damaged } = this.#read();
    const made = this.#made.filter((one) => one.exchange ?? one.readFailure() === undefined);
    const used = new Set([
      ...(mode === 'record-all' ? [] : stored.map(({ path }) => path)),
      // A new recording mends it.
      ...(mode === 'replay' ? damaged.map(({ path }) => path) : []),
      ...made.map(({ path }) => path),
    ]);
    for (let number = 1; ; number += 1) {
      const path = `${this.folder}/${own}-${number}.json`;
      if (!used.has(path)) return path;
    }
  }

  #asker({ request }: RequestKey) {
    const { source, normalize } = this.#options;
    const isRecorded = this.#read().stored.length > 0;
    return { source, isRecorded, turn: this.#turns.get(request) ?? 0, normalize };
  }

  #countTurn({ request }: RequestKey): void {
    this.#turns.set(request, (this.#turns.get(request) ?? 0) + 1);
  }

  #read(): Before {
    this.#before ??= unwatchedly(() => this.#readAll());
    return this.#before;
  }

  #readAll(): Before {
    const { folder, mode } = this.#options;
    const damaged: DamagedRecording[] = [];
    const stored = readAll(folder, this.#files(damaged), damaged);
    if (mode === 'replay') {
      for (const { problem } of damaged) this.warn(`the recording ${problem}; it is left as it is`);
    }
    const unused = new Map<string, StoredExchange[]>();
    for (const one of stored) {
      const { own } = this.#key(one.exchange.role, one.exchange.request);
      const alike = unused.get(own) ?? [];
      if (!(numberOf(one, own) < this.#nextOf(own))) alike.push(one);
      // Also without any: another case has no answer to what this one asks more often than it did.
      unused.set(own, alike);
    }
    return { stored, unused, damaged };
  }

  #files(damaged: DamagedRecording[]): string[] {
    const { folder, source } = this.#options;
    try {
      return [...filesIn(folder, this.folder, { damaged }), firstVersionPath(source)];
    } catch (error) {
      const { message } = error as Error;
      damaged.push({ path: this.folder, problem: `${this.folder} cannot be read: ${message}` });
      return [];
    }
  }

  /** A result depends on the recordings that answered it, so the watch of reads has to see this look. */
  #noteRead(path: string): void {
    const look = () => lookAt(join(this.#options.folder, path));
    if (this.#inScope === undefined) look();
    else this.#inScope(look);
  }

  #key(role: string, request: RecordedRequest): RequestKey {
    return comparedKey(role, request, this.#options.normalize);
  }
}

/** The number in the name of a file with this hash; not a number for a name of another form. */
function numberOf({ id }: StoredExchange, own: string): number {
  const { name } = placeOf(id);
  return name.startsWith(`${own}-`) ? Number(name.slice(own.length + 1)) : Number.NaN;
}

/** False for the answer after a redirect where the redirect itself is asked for, and the other way round. */
function answers({ response: { url, status, headers } }: RecordedExchange, follows: boolean) {
  const isRedirect = status >= 300 && status < 400 && headers.location !== undefined;
  return follows ? !isRedirect : url === undefined;
}
