import { parsedUrl } from '../../text/parsed-url.js';
import type { Scope } from '../attempt/attempt.js';
import type { GivenAnswer } from '../recordings/call-recording.js';
import type { Recordings } from '../recordings/recordings.js';
import { BodyCapture } from './body-capture.js';
import type { BeginCall, CallRecord, CallStart } from './call-record.js';
import { likeness } from './observed-response.js';
import { headOfFetch, peekRequestBody, readStreamedBody } from './request-body.js';

type FetchArguments = Parameters<typeof fetch>;

/** Makes a call by `fetch`, or gives it an answer, and records it. */
type MakeCall = (
  given: FetchArguments,
  start: Pick<CallStart, 'body' | 'recording'>,
  answer?: GivenAnswer,
) => Promise<Response>;

/** Answers a call by `fetch` from its recording, refuses it, or lets `make` make it. */
export async function fetchRecorded(
  recordings: Recordings,
  scope: Scope,
  given: FetchArguments,
  make: MakeCall,
): Promise<Response> {
  const { method, url, signal, follows } = headOfFetch(given);
  if (parsedUrl(url) === undefined) return make(given, {});
  const [input] = given;
  // Awaiting a value that is there takes longer than comparing the request.
  const read = readStreamedBody(given[1]);
  const init = read instanceof Promise ? await read : read;
  const body = new BodyCapture();
  const captured = peekRequestBody(input, init, body);
  if (captured !== undefined) await captured;
  signal?.throwIfAborted();
  const decision = recordings.decide(scope, { method, url, body, follows });
  if (decision.action === 'refuse') throw decision.error;
  const answer = decision.action === 'answer' ? decision.answer : undefined;
  const { recording } = decision;
  // A refusal is no call.
  if (answer !== undefined && recording === undefined) return toResponse(answer, url);
  return make([input, init], { body, recording }, answer);
}

/** Gives a call by `fetch` a recorded answer. */
export function answerFetch(
  given: FetchArguments,
  answer: GivenAnswer,
  begin: BeginCall,
): Response {
  const { method, url } = headOfFetch(given);
  const record = begin({ method, url, isDecoded: true });
  const response = toResponse(answer, url, record);
  record.answered(response.status, Object.fromEntries(response.headers));
  if (response.body === null) record.completed();
  return response;
}

/** Statuses whose answers have no body. */
const withoutBody = new Set([204, 205, 304]);

/** A recorded answer to a request, which its record sees as it is read. */
export function toResponse(
  { status, headers, url: finalUrl = '', chunks }: GivenAnswer,
  url: string,
  record?: CallRecord,
): Response {
  const body = withoutBody.has(status) ? null : streamOf(chunks, record);
  const { STATUS_CODES } = process.getBuiltinModule('node:http');
  const response = new Response(body, { status, statusText: STATUS_CODES[status] ?? '', headers });
  return likeness(response, {
    url: addressOf(finalUrl, url),
    redirected: finalUrl !== '',
    type: 'basic',
  });
}

/** Without the fragment, like the address of a real answer. */
function addressOf(finalUrl: string, url: string): string {
  if (finalUrl === '' && !url.includes('#')) return parsedUrl(url)?.href ?? url;
  return URL.canParse(finalUrl, url) ? new URL(finalUrl, url).href : finalUrl;
}

function streamOf(
  chunks: readonly Uint8Array[],
  record: CallRecord | undefined,
): ReadableStream<Uint8Array> {
  let next = 0;
  return new ReadableStream({
    type: 'bytes',
    pull(controller) {
      const chunk = chunks[next];
      next += 1;
      if (chunk !== undefined) {
        record?.received(chunk);
        controller.enqueue(chunk);
        return;
      }
      record?.completed();
      controller.close();
      controller.byobRequest?.respond(0);
    },
    cancel: () => record?.left(),
  });
}
