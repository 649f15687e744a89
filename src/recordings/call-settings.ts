import type { Capture } from '../model/calls/model-call.js';
import type { RecordingOptions } from './recording.js';

/** What becomes of the calls of evaluations: one shape from the settings to the host. */
export interface CallSettings {
  /** Recording level of HTTP calls. */
  readonly capture: Capture;
  /** MiB to keep of the calls of one attempt. Default 2. */
  readonly captureMib?: number | undefined;
  /** Hosts whose requests are none of models, though they look like it, and programs that call none. Default: none. */
  readonly notModels?: readonly string[] | undefined;
  /** Recording or replay. Default: calls are just made. */
  readonly recordings?: RecordingOptions | undefined;
}
