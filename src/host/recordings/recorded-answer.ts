import type { FailedAttempt, RecordedResponse } from '../../recordings/recording.js';
import type { ObservedAnswer } from './call-recording.js';
import {
  type BodySanitizer,
  toChunks,
  toRecordedAnswer,
  toRecordedStream,
} from './recorded-body.js';
import { toRecordedUrl } from './recorded-url.js';

/** `undefined` for an answer that cannot be stored, and without an answer. */
export function toRecordedResponse(
  { status, headers, url, chunks, size, exchange }: ObservedAnswer,
  requestUrl: string,
  sanitizer: BodySanitizer,
): RecordedResponse | undefined {
  if (status === undefined || chunks === undefined) return undefined;
  const head = {
    ...(url !== undefined && { url: toFinalUrl(url, requestUrl, sanitizer) }),
    ...{ status, headers: recordedHeaders(headers, sanitizer) },
  };
  const bytes = Buffer.concat(chunks);
  if (bytes.length === 0) return head;
  const isStream = exchange?.stream === true || /event-stream/.test(headers['content-type'] ?? '');
  const body = isStream ? toRecordedStream(chunks, sanitizer) : toRecordedAnswer(bytes, sanitizer);
  if (body === undefined) return undefined;
  const isAsItCame = toChunks(body).reduce((sum, chunk) => sum + chunk.length, 0) === size;
  return { ...head, body, ...(!isAsItCame && { size }) };
}

/** The address after redirects; relative if it is on the server of the request, whose port may change. */
function toFinalUrl(url: string, requestUrl: string, sanitizer: BodySanitizer): string {
  const clean = toRecordedUrl(url, sanitizer, true);
  const [, server, path = ''] = /^(\w+:\/\/[^/]+)(\/(?!\/).*)$/.exec(clean) ?? [];
  return server !== undefined && requestUrl.startsWith(`${server}/`) ? path : clean;
}

export function toFailedAttempt(answer: ObservedAnswer, sanitizer: BodySanitizer): FailedAttempt {
  const { isComplete, hasEnded, error } = answer;
  const response = toRecordedResponse({ ...answer, url: undefined }, '', sanitizer);
  return {
    ...(response && { response }),
    ...(error !== undefined && { error: String(sanitizer.callText(error)) }),
    ...(error === undefined && !isComplete && { end: hasEnded ? 'left' : 'unread' }),
  };
}

/** Answers that say nothing of the model: of a wrong key, of a provider that is busy or broken. */
const passing = new Set([401, 403, 407, 408, 409, 425, 429]);

/** True for an answer that is not worth keeping, whatever else comes of it. */
export function hasFailed({ status = 200 }: Pick<ObservedAnswer, 'status'>): boolean {
  return status < 200 || status >= 500 || passing.has(status);
}

/** True for an answer that is worth keeping: it came to its end, and would be the same again. */
export function isWhole(answer: ObservedAnswer): boolean {
  const { status, isComplete, exchange } = answer;
  if (status === undefined || hasFailed(answer)) return false;
  // An error in an answer of status 200.
  if (status < 400 && exchange?.error !== undefined) return false;
  if (exchange?.stream === true) return exchange.cut !== true;
  return isComplete;
}

/** All that code may read of an answer, but for what holds secrets, or says nothing of this answer. */
function recordedHeaders(
  headers: Readonly<Record<string, string>>,
  sanitizer: BodySanitizer,
): Record<string, string> {
  const { location, ...others } = headers;
  const kept = Object.entries(others).filter(
    ([name]) => ofBedrock.test(name) || !(secret.test(name) || ofOneAnswer.test(name)),
  );
  const clean = kept.map(([name, value]) => [name, String(sanitizer.callText(value))]);
  return {
    ...Object.fromEntries(clean),
    ...(location !== undefined && { location: toRecordedUrl(location, sanitizer, true) }),
  };
}

/** Its names have words of secrets. */
const ofBedrock = /^x-amzn-(?:errortype$|bedrock-)/;

/** Headers that hold secrets, or say whose key it was. */
const secret =
  /auth|cookie|credential|csrf|xsrf|jwt|key|nonce|password|secret|session|signature|token|account|organization|project|security-policy|report/;

/** Headers of the connection and the compression, and those that differ from answer to answer: ids, times, limits. */
const ofOneAnswer = new RegExp(
  [
    '^(?:age|alt-svc|connection|content-encoding|content-length|date|expires|keep-alive|nel)$',
    '^(?:server|server-timing|trailer|transfer-encoding|upgrade|via|x-powered-by)$',
    '^(?:cf|fly|x-(?:vercel|cache|served-by|timer|runtime|envoy|cloud|azure|ms))(?:-|$)',
    '(?:^|-)(?:request|requestid|correlation|trace|span|ray|cf|edge|amz)-?id(?:-?\\d)?$',
    '^(?:traceparent|tracestate|x-b3-.*|x-cloud-trace-context)$',
    'ratelimit|(?:processing|response|elapsed|latency|duration|time|upstream.*)-ms$|-time$|latency|duration',
  ].join('|'),
);
