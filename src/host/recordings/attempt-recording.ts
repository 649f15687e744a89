import type {
  FailedAttempt,
  RecordedExchange,
  RecordedRequest,
  Recording,
  RecordingLookups,
  RecordingMiss,
  RecordingOptions,
  RecordingSource,
} from '../../recordings/recording.js';
import { readRecording, recordingPath, writeRecording } from '../../recordings/recording-files.js';
import { pathWord } from '../../text/shell-word.js';
import { shortHash } from '../../text/short-hash.js';
import { isoNow } from '../primitives.js';
import {
  type ComparedRequest,
  comparedRequest,
  isSameRequest,
  type NormalizeBody,
} from './compared-request.js';
import { findNearest, type NearestExchange } from './nearest-exchange.js';

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
  extends Omit<RecordingOptions, 'normalize'>,
    Omit<CallerRecording, 'normalize'> {
  /** Absent where bodies are compared as they are. */
  readonly normalizeBody: NormalizeBody | undefined;
}

/** An exchange in progress, to be recorded when it succeeds. */
export interface OpenExchange {
  readonly name: string;
  readonly store: (exchange: Pick<RecordedExchange, 'duration' | 'response'>) => void;
  /** Registers an attempt that may fail, to be stored with a later recording of the same request; `read` returns `undefined` if it has not failed. */
  readonly mayFail: (read: () => FailedAttempt | undefined) => void;
}

/** A recorded exchange that has not answered yet. */
interface Unused {
  readonly request: ComparedRequest;
  readonly exchange: RecordedExchange;
}

/** A request that is under way, or has failed. */
interface NotStored {
  readonly request: ComparedRequest;
  readonly place: number;
  readFailure: () => FailedAttempt | undefined;
}

/** The recorded exchanges of one attempt, stored and new ones. */
export class AttemptRecording {
  readonly #options: AttemptRecordingOptions;
  /** Relative to the folder of recordings. */
  readonly path: string;
  /** In order of their requests; empty for calls that are under way or failed. */
  readonly #exchanges: (RecordedExchange | undefined)[] = [];
  /** Exchanges that have not answered yet, in order; each answers once. */
  readonly #unused: Unused[] = [];
  /** Requests that are not stored, in order. */
  #notStored: NotStored[] = [];
  /** The reason why the file cannot be used. */
  readonly problem: string | undefined;
  readonly #missed: Partial<RecordingMiss>[] = [];
  #found = 0;
  #hasChanged = false;
  #isSaved = false;

  constructor(options: AttemptRecordingOptions) {
    this.#options = options;
    this.path = recordingPath(options.source);
    const { recording, problem } = this.#read();
    this.problem = problem;
    const { mode, keepsTarget } = options;
    for (const exchange of recording?.exchanges ?? []) {
      if (mode === 'record' && !(keepsTarget && exchange.role === 'target')) continue;
      this.#exchanges.push(exchange);
      const { role, request } = exchange;
      if (mode !== 'record')
        this.#unused.push({ request: this.#compared(role, request), exchange });
    }
  }

  /** Lookups of its requests so far. */
  get lookups(): RecordingLookups {
    const unrecorded = this.#notStored.length;
    return {
      found: this.#found,
      missed: this.#missed,
      ...(unrecorded > 0 && { unrecorded }),
    };
  }

  /** The recorded exchanges, in order. */
  get exchanges(): readonly RecordedExchange[] {
    return this.#exchanges.filter((exchange) => exchange !== undefined);
  }

  /** The recorded exchange of a request; each answers only one request. */
  take(role: string, request: RecordedRequest): RecordedExchange | undefined {
    const asked = this.#compared(role, request);
    const at = this.#unused.findIndex((unused) => isSameRequest(unused.request, asked));
    if (at === -1) return undefined;
    this.#found += 1;
    return this.#unused.splice(at, 1)[0]?.exchange;
  }

  /** Notes a request that is not recorded; gives the recorded exchange that it is most like. */
  miss(role: string, request: RecordedRequest): NearestExchange | undefined {
    const nearest = findNearest(role, request, this.exchanges, this.#options.normalizeBody);
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
    const place = this.#exchanges.push(undefined) - 1;
    const number = String(place + 1).padStart(2, '0');
    const shortRole = role.replace(/[^\w-]+/g, '-').slice(0, 40);
    const compared = this.#compared(role, request);
    const name = `${number}-${shortRole}-${shortHash(JSON.stringify(compared), 8)}`;
    const own: NotStored = { request: compared, place, readFailure: () => undefined };
    this.#notStored.push(own);
    return {
      name,
      mayFail: (read) => {
        own.readFailure = read;
      },
      store: ({ duration, response }) => {
        const failed = this.#takeFailures(own);
        this.#exchanges[place] = {
          name,
          role,
          recorded_at: isoNow(),
          duration,
          request,
          ...(failed.length > 0 && { failed }),
          response,
        };
        this.#hasChanged = true;
        // It ended after its attempt.
        if (this.#isSaved) this.save();
      },
    };
  }

  /** Writes the file, when something has been recorded. */
  save(): void {
    this.#isSaved = true;
    if (!this.#hasChanged) return;
    this.#hasChanged = false;
    const { source, folder, mode, warn } = this.#options;
    if (this.problem !== undefined && mode !== 'record') return;
    try {
      writeRecording(folder, this.path, { ...source, exchanges: this.exchanges });
    } catch (error) {
      warn(`the recording ${this.path} could not be written: ${(error as Error).message}`);
    }
  }

  /** Failed earlier attempts at a stored request. */
  #takeFailures(stored: NotStored): FailedAttempt[] {
    const failed: FailedAttempt[] = [];
    this.#notStored = this.#notStored.filter((one) => {
      if (one === stored) return false;
      const isEarlier = one.place < stored.place && isSameRequest(one.request, stored.request);
      const failure = isEarlier ? one.readFailure() : undefined;
      if (failure !== undefined) failed.push(failure);
      return failure === undefined;
    });
    return failed;
  }

  #read(): { readonly recording?: Recording | undefined; readonly problem?: string } {
    const { folder, mode, warn } = this.#options;
    try {
      return { recording: readRecording(folder, this.path) };
    } catch (error) {
      const problem = `the recording ${this.path} ${(error as Error).message}`;
      if (mode === 'replay') warn(`${problem}; calls are made and not stored`);
      return { problem };
    }
  }

  #compared(role: string, request: RecordedRequest): ComparedRequest {
    return comparedRequest(role, request, this.#options.normalizeBody);
  }
}
