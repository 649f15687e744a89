import type { ModelExchange } from '../../model/calls/model-call.js';
import type { Json } from '../../model/result.js';
import type { FailedAttempt } from '../../recordings/recording.js';
import type { BodyCapture } from '../calls/body-capture.js';

/** An answer to give instead of making a call. */
export interface GivenAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Address after redirects, maybe relative to that of the request; absent for none. */
  readonly url?: string | undefined;
  /** Not compressed; to be given one by one. */
  readonly chunks: readonly Uint8Array[];
  /** Bytes to report of its body; absent for those of the chunks. */
  readonly size?: number | undefined;
}

/** An answer as it was observed. */
export interface ObservedAnswer {
  readonly status: number | undefined;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Address after redirects; absent for none. */
  readonly url: string | undefined;
  /** Not compressed; absent if they exceed the limit. */
  readonly chunks: readonly Uint8Array[] | undefined;
  /** Bytes of its body as they came. */
  readonly size: number;
  /** The answer came to its end. */
  readonly isComplete: boolean;
  /** Nothing more of it will come. */
  readonly hasEnded: boolean;
  /** The reason for a missing or incomplete answer, as one line. */
  readonly error: string | undefined;
  /** The call, read as a model call. */
  readonly exchange: ModelExchange | undefined;
}

/** An attempt at a request that failed when it was recorded. */
export interface ReplayedFailure extends Omit<FailedAttempt, 'response'> {
  readonly request: BodyCapture;
  readonly answer?: GivenAnswer;
}

/** Connects a call with its recording; passed to the record of the call when it begins (`CallStart.recording`). */
export interface CallRecording {
  /** Name of its file, from the folder of its attempt; if it `isShared`, path from that of its eval file, or, with a leading `/`, from that of recordings. */
  readonly name: string;
  /** It belongs to other attempts, too. */
  readonly isShared: boolean;
  /** Present when the call is answered from the recording. */
  readonly replayed?: {
    /** Bytes of its answer at recording time, if they differ now. */
    readonly size?: number | undefined;
    /** The whole answer as JSON, if it was stored so. */
    readonly json?: Json | undefined;
    /** Attempts that failed before it. */
    readonly failed?: readonly ReplayedFailure[];
  };
  /** Called by the record of the call at its start, with functions that return its progress. */
  readonly begun?: (observe: () => ObservedAnswer) => void;
  /** Called by the record of the call at its end; true when the call is now recorded. */
  readonly ended?: (answer: ObservedAnswer) => boolean;
}
