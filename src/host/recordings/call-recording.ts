import type { ModelExchange } from '../../model/calls/model-call.js';

/** An answer as it was observed. */
export interface ObservedAnswer {
  readonly status: number | undefined;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Not compressed; absent when they were longer than what is kept of bodies. */
  readonly chunks: readonly Uint8Array[] | undefined;
  /** The answer came to its end. */
  readonly isComplete: boolean;
  /** What the call says as a call of a model. */
  readonly exchange: ModelExchange | undefined;
  /** Seconds. */
  readonly duration: number;
}

/** What a call has to do with a recording; handed to the record of the call when it begins (`CallStart.recording`). */
export interface CallRecording {
  /** Name of the exchange. */
  readonly name: string;
  /** Present when the call is answered from the recording: seconds that it took when it was recorded. */
  readonly replayed?: { readonly duration: number };
  /** Called by the record of the call at its end; true when the call is now recorded. */
  readonly ended?: (answer: ObservedAnswer) => boolean;
}
