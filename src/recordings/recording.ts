import type { OwnPrices } from '../model/calls/call-rules.js';
import type { Capture } from '../model/calls/model-call.js';
import { isNumber, isObject } from '../model/json.js';
import type { Json } from '../model/result.js';
import { isText, listOf, object, optional, recordOf } from '../model/shapes.js';
import { hasHost } from '../text/host-matcher.js';
import { parsedUrl } from '../text/parsed-url.js';
import { shortHash } from '../text/short-hash.js';

/**
 * `record` and `replay` answer from recordings, and make and store the calls that are not recorded; `record` also removes
 * or moves files that are there. `record-all` makes and stores all calls. `offline` makes none.
 */
export const recordingModes = ['off', 'record', 'record-all', 'replay', 'offline'] as const;
export type RecordingMode = (typeof recordingModes)[number];

/** Recording or replay of the calls of a run. */
export interface RecordingOptions {
  readonly mode: Exclude<RecordingMode, 'off'>;
  /** Absolute path of the folder with the recordings. */
  readonly folder: string;
  /** Paths in JSON bodies that do not count when requests are compared. */
  readonly normalize: readonly string[];
  /** Hosts whose calls are neither recorded nor refused, beside those of telemetry. Default: none. */
  readonly ignore?: readonly string[];
  /** Hosts of this machine whose calls are recorded, whatever they are. Default: none, so only calls of models. */
  readonly hosts?: readonly string[];
  /** Milliseconds since 1970 at which the run began: what attempts have stored since then is shared with no other. */
  readonly since?: number;
}

/** The code whose calls a recording has: an attempt of a case or, without an evaluation, the import of an eval file. */
export interface RecordingSource {
  /** Name of the eval file. */
  readonly file: string;
  /** Name of the evaluation, without the file and the case. */
  readonly evaluation?: string;
  /** Id of the case; absent for an evaluation without cases. */
  readonly case?: string;
  /** 1 where there are no trials. */
  readonly trial?: number;
}

/** One part of a `multipart` body; headers as they were sent. */
export interface RecordedPart {
  readonly headers: string;
  readonly body: RecordedBody;
}

/** A body, stored by kind of content. Streams keep their chunks; binary ones are Base64. */
export type RecordedBody =
  | { readonly json: Json }
  | { readonly text: string }
  | { readonly base64: string }
  | { readonly chunks: readonly string[] }
  | { readonly base64_chunks: readonly string[] }
  | { readonly parts: readonly RecordedPart[] };

/** A request as it is stored: without headers and secrets. */
export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  /** Absent for none. */
  readonly body?: RecordedBody;
}

export interface RecordedResponse {
  /** Address after redirects, maybe relative to that of the request; absent for none. */
  readonly url?: string;
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  /** Absent for none. */
  readonly body?: RecordedBody;
  /** Bytes of the original body if they differ from `body`, because it was compressed or contained secrets. */
  readonly size?: number;
}

/** A failed try of a request before the one that is recorded. It is listed as a call, and answers nothing. */
export interface FailedAttempt {
  /** The received part of the answer; absent if nothing was received. */
  readonly response?: RecordedResponse;
  /** The reason for a missing or incomplete answer, as one line. */
  readonly error?: string;
  /** True if the client did not read the answer to its end; absent if it ended or has an error. */
  readonly end?: 'left' | 'unread';
}

export interface RecordedExchange {
  readonly role: string;
  readonly request: RecordedRequest;
  /** In order; absent for none. */
  readonly failed?: readonly FailedAttempt[];
  readonly response: RecordedResponse;
}

/** Contents of one file. */
interface RecordingFile {
  readonly source: RecordingSource;
  /** One, or all of an attempt in a file of the first version, where they have names. */
  readonly exchanges: readonly (RecordedExchange & { readonly name?: string })[];
}

/** The first difference between an unrecorded request and the most similar recorded one. */
export interface RecordingMiss {
  readonly path: string;
  /** The words before the difference. */
  readonly before: string;
}

/** Results of looking up the requests of an attempt in its recording. */
export interface RecordingLookups {
  readonly found: number;
  /** Empty for a request that no recording is similar to. */
  readonly missed: readonly Partial<RecordingMiss>[];
  /** Requests that were made and not recorded: their answers failed, broke off or hold an error. */
  readonly unrecorded?: number | undefined;
  /** Requests to this machine that were made and not recorded, because they are none of models. */
  readonly local?: number | undefined;
  /** Its recordings that it did not ask for; known only where a run records what is missing. */
  readonly unused?: number | undefined;
}

/** All of several lookups; `undefined` for none. */
export function sumLookups(all: readonly RecordingLookups[]): RecordingLookups | undefined {
  if (all.length < 2) return all[0];
  const sum = (read: (one: RecordingLookups) => number | undefined) =>
    all.reduce((total, one) => total + (read(one) ?? 0), 0);
  return {
    found: sum(({ found }) => found),
    missed: all.flatMap(({ missed }) => missed),
    unrecorded: sum(({ unrecorded }) => unrecorded) || undefined,
    local: sum(({ local }) => local) || undefined,
    unused: sum(({ unused }) => unused) || undefined,
  };
}

/** The version of the format that this code writes; it also reads the first, which has all exchanges of an attempt. */
const version = 2;

export function renderRecording(
  { file, evaluation, case: caseId }: RecordingSource,
  { role, request, failed, response }: RecordedExchange,
): string {
  const source = { file, evaluation, case: caseId };
  const fields = { assay_recording: version, ...source, role, request, failed, response };
  return `${JSON.stringify(fields, null, 2)}\n`;
}

/** Reads the text of a file. Throws an error that completes `the recording … `. */
export function parseRecording(text: string): RecordingFile {
  const parsed = parseFields(text);
  if (!isObject(parsed) || parsed.assay_recording === undefined) {
    throw new Error('is no recording: it has no assay_recording');
  }
  const { assay_recording, file, evaluation, case: caseId, trial, ...fields } = parsed;
  if (assay_recording !== version && assay_recording !== 1) {
    const what = JSON.stringify(assay_recording);
    throw new Error(`has version ${what}, and this version of assay reads ${version}`);
  }
  const exchanges = assay_recording === version ? [fields] : fields.exchanges;
  if (!Array.isArray(exchanges)) throw new Error('is no recording: its exchanges are no list');
  const bad = exchanges.findIndex((exchange) => !isExchange(exchange));
  if (bad !== -1) {
    const which = assay_recording === version ? 'it' : `its exchange ${bad + 1}`;
    throw new Error(`cannot be used: ${which} is not complete`);
  }
  const source = {
    file: isText(file) ? file : '',
    ...(isText(evaluation) && { evaluation }),
    ...(isText(caseId) && { case: caseId }),
    ...(isNumber(trial) && { trial }),
  };
  return { source, exchanges };
}

function parseFields(text: string): unknown {
  try {
    // Some editors on Windows put a mark before UTF-8.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    if (/^<{7} /m.test(text)) {
      throw new Error('is in conflict: keep one side in git, or record it again');
    }
    const { message } = error as Error;
    throw new Error(`is not whole or not JSON (${message.replace(/\s+/g, ' ').slice(0, 200)})`);
  }
}

function isBody(body: unknown): body is RecordedBody {
  if (!isObject(body)) return false;
  const { text, base64, chunks, base64_chunks, parts } = body;
  if ('json' in body) return true;
  if (parts !== undefined) return areParts(parts);
  return isText(text ?? base64) || areTexts(chunks ?? base64_chunks);
}

const areTexts = listOf(isText);
const areParts = listOf(object({ headers: isText, body: isBody }));

const isResponse = object({
  status: (status): status is number => isNumber(status) && status >= 200 && status <= 599,
  headers: recordOf(isText),
  size: optional(isNumber),
  url: optional(isText),
  body: optional(isBody),
});

const isExchange = object({
  role: isText,
  request: object({ method: isText, url: isText, body: optional(isBody) }),
  failed: optional(listOf(object({ response: optional(isResponse), error: optional(isText) }))),
  response: isResponse,
});

/** What tells a request from others. */
export interface RequestKey {
  /** Equal for equal requests, whoever makes them. */
  readonly request: string;
  /** Equal for equal requests of the same role; names of files begin with it. */
  readonly own: string;
}

/** The key of a request that has been normalized. */
export function keyOf(role: string, { method, url, body }: RecordedRequest): RequestKey {
  const request = shortHash(JSON.stringify(inOrder({ method, url, body })), 32);
  return { request, own: shortHash(`${role}\n${request}`, 12) };
}

/** The same JSON whatever the order of keys. Faster than a function that `JSON.stringify` calls. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, field]) => [name, inOrder(field)]));
}

/** How calls of evaluations are observed: one shape from the settings to the host. */
export interface CallSettings {
  /** Recording level of HTTP calls. */
  readonly capture: Capture;
  /** MiB to keep of the calls of one attempt. Default 2. */
  readonly captureMib?: number | undefined;
  /** Hosts whose requests are none of models, though they look like it, and programs that call none. Default: none. */
  readonly notModels?: readonly string[] | undefined;
  /** Prices of models, which come before those of the price list. */
  readonly prices?: OwnPrices | undefined;
  /** Recording or replay. Default: calls are just made. */
  readonly recordings?: RecordingOptions | undefined;
}

/** Hosts to which traces, logs, errors and usage are sent. Sources: the documentation of each, November 2026. */
const telemetryHosts = [
  ...['*.applicationinsights.azure.com', '*.axiom.co', '*.datadoghq.com', '*.datadoghq.eu'],
  ...['*.grafana.net', '*.honeycomb.io', '*.langfuse.com', '*.logfire.dev', '*.nr-data.net'],
  ...['*.posthog.com', '*.sentry.io', '*.signalfx.com', '*.traceloop.com', 'api.segment.io'],
  ...['*.api.smith.langchain.com', 'api.smith.langchain.com', 'api.mixpanel.com'],
  ...['*.amplitude.com', '*.arize.com', '*.newrelic.com', 'logfire-*.pydantic.dev'],
];

/** Paths of the OpenTelemetry protocol: https://opentelemetry.io/docs/specs/otlp/#otlphttp-request. */
const otlpPath = /\/v1\/(traces|metrics|logs)$/;

/** True for a request that is never recorded: the settings name its host, or it hands in telemetry. Reading something from such a host is no telemetry. */
export function isIgnored(
  { method, url }: { readonly method: string; readonly url: string },
  ignore: readonly string[] = [],
): boolean {
  if (hasHost(url, ignore)) return true;
  if (/^(get|head)$/i.test(method)) return false;
  return otlpPath.test(parsedUrl(url)?.pathname ?? '') || hasHost(url, telemetryHosts);
}

/** One step of a path: a key, a position, or any position. */
type Step = string | number | typeof any;
const any = Symbol('any');

const form = /^(?:[^.[\]]+|\[(?:\d+|\*)\])(?:\.[^.[\]]+|\[(?:\d+|\*)\])*$/;

/** True for the path of a value in JSON: `metadata.date`, `messages[0].content`, `messages[*].name`. */
export function isJsonPath(text: unknown): text is string {
  return typeof text === 'string' && form.test(text);
}

/** Makes a function that takes the values at paths out of JSON, in place. */
export function withoutPaths(paths: readonly string[]): (json: unknown) => unknown {
  const all = paths.map(stepsOf);
  return (json) => {
    for (const steps of all) takeOut(json, steps);
    return json;
  };
}

function stepsOf(path: string): Step[] {
  return [...path.matchAll(/\[(\*|\d+)\]|[^.[\]]+/g)].map(([step, position]) => {
    if (position === undefined) return step;
    return position === '*' ? any : Number(position);
  });
}

function takeOut(json: unknown, [step, ...others]: readonly Step[]): void {
  if (typeof json !== 'object' || json === null || step === undefined) return;
  const keys = step === any ? Object.keys(json) : [String(step)];
  for (const key of keys) {
    if (!Object.hasOwn(json, key)) continue;
    if (others.length > 0) takeOut(Reflect.get(json, key), others);
    // What follows keeps its position.
    else if (Array.isArray(json)) json[Number(key)] = null;
    else Reflect.deleteProperty(json, key);
  }
}
