import type { Scope } from '../attempt/attempt.js';
import type { GivenAnswer } from '../recordings/call-recording.js';
import type { Recordings } from '../recordings/recordings.js';
import { BodyCapture } from './body-capture.js';
import type { CallStart } from './call-record.js';
import { peekRequestBody, readStreamedBody } from './request-body.js';

type FetchArguments = Parameters<typeof fetch>;

/** Makes a call by a fetch that is given, and records it. */
type MakeCall = (
  real: typeof fetch,
  given: FetchArguments,
  start: Pick<CallStart, 'recording'>,
) => Promise<Response>;

/** Answers a call by `fetch` from its recording, refuses it, or lets `make` make it. */
export async function fetchRecorded(
  recordings: Recordings,
  scope: Scope,
  real: typeof fetch,
  given: FetchArguments,
  make: MakeCall,
): Promise<Response> {
  const input = given[0];
  const request = input instanceof Request ? input : undefined;
  const url = request?.url ?? String(input);
  if (!URL.canParse(url)) return make(real, given, {});
  const init = await readStreamedBody(given[1]);
  const signal = init?.signal ?? request?.signal;
  const capture = new BodyCapture();
  await peekRequestBody(input, init, capture);
  signal?.throwIfAborted();
  const decision = recordings.decide(scope, {
    method: (init?.method ?? request?.method ?? 'GET').toUpperCase(),
    url,
    body: capture.isMissing ? undefined : capture.bytes(),
  });
  switch (decision.action) {
    case 'refuse':
      throw decision.error;
    case 'answer': {
      const { answer, recording } = decision;
      if (recording === undefined) return toResponse(answer, url);
      return make(async () => toResponse(answer, url), [input, init], { recording });
    }
    case 'call':
      return make(real, [input, init], { recording: decision.recording });
  }
}

/** Statuses whose answers have no body. */
const withoutBody = new Set([204, 205, 304]);

/** A recorded answer to a request. */
export function toResponse({ status, headers, chunks }: GivenAnswer, url: string): Response {
  const response = new Response(withoutBody.has(status) ? null : streamOf(chunks), {
    status,
    headers,
  });
  Object.defineProperty(response, 'url', { value: url, configurable: true });
  return response;
}

function streamOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  let next = 0;
  return new ReadableStream({
    type: 'bytes',
    pull(controller) {
      const chunk = chunks[next];
      next += 1;
      // Enqueueing gives the memory away.
      if (chunk !== undefined) controller.enqueue(new Uint8Array(chunk));
      else {
        controller.close();
        controller.byobRequest?.respond(0);
      }
    },
  });
}
