import { otherRequest, recognise, type SeenRequest } from '../../model-calls/recognise.js';
import type { CallSettings } from '../../recordings/recording.js';
import { hostOf, parsedUrl } from '../../text/parsed-url.js';
import type { Scope } from '../attempt/attempt.js';
import type { GivenAnswer } from '../recordings/recorded-parts.js';
import type { Recordings } from '../recordings/recordings.js';
import { BodyCapture } from './body-capture.js';
import type { Question } from './call-permissions.js';
import type { BeginCall, CallRecord, CallStart } from './call-record.js';
import {
  captureRequestBody,
  headOfFetch,
  likeness,
  observeResponse,
  peekRequestBody,
  readStreamedBody,
} from './fetch-bodies.js';
import type { CallSanitizer } from './stored-parts.js';

type FetchArguments = Parameters<typeof fetch>;

/** A call by `fetch` that is about to be made or, with an `answer`, to be answered from its recording. */
export interface FetchCall {
  readonly given: FetchArguments;
  readonly start: Pick<CallStart, 'body' | 'recording'>;
  readonly answer?: GivenAnswer | undefined;
}

/** The call with its recording, or the answer that refuses it, which is no call; rejects with the error of a refusal. */
export async function withRecording(
  recordings: Recordings,
  scope: Scope,
  given: FetchArguments,
): Promise<FetchCall | Response> {
  const { method, url, signal, follows } = headOfFetch(given);
  if (parsedUrl(url) === undefined) return { given, start: {} };
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
  if (answer !== undefined && recording === undefined) return toResponse(answer, url);
  return { given: [input, init], start: { body, recording }, answer };
}

/** Gives a call the answer of its recording. */
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

/** Runs a function that makes a call, so that the layers below do not record it again. */
type RunInCall = <Result>(work: () => Result) => Result;

/** Makes a call by `fetch` and records it; calls that cannot be read are made all the same. */
export async function observeFetch(
  real: typeof fetch,
  given: FetchArguments,
  begin: BeginCall,
  runInCall: RunInCall,
): Promise<Response> {
  const { record, options } = beginFetch(given, begin);
  let response: Response;
  try {
    response = await runInCall(() => real(given[0], options));
  } catch (error) {
    record?.failed(error);
    throw error;
  }
  if (record === undefined) return response;
  try {
    const { status, headers, url, redirected } = response;
    record.answered(status, Object.fromEntries(headers), redirected ? url : undefined);
    return observeResponse(response, record);
  } catch {
    // Not one of Node's: the real fetch has been replaced.
    record.note('The answer could not be read.');
    record.left();
    return response;
  }
}

function beginFetch(
  given: FetchArguments,
  begin: BeginCall,
): { readonly record: CallRecord | undefined; readonly options: FetchArguments[1] } {
  const [input, init] = given;
  try {
    const { method, url } = headOfFetch(given);
    const record = begin({ method, url, isDecoded: true });
    if (record.start.body !== undefined) return { record, options: init };
    return { record, options: captureRequestBody(input, init, record.request).init };
  } catch {
    // Arguments that fetch itself refuses.
    return { record: undefined, options: init };
  }
}

interface QuestionOptions {
  readonly sanitizer: () => CallSanitizer;
  readonly settings: Pick<CallSettings, 'notModels'>;
}

/** The question whether a call by `fetch` may be made. */
export async function questionOfFetch(
  { given, start, answer }: FetchCall,
  options: QuestionOptions,
): Promise<Question> {
  const { method, url } = headOfFetch(given);
  const body = start.body ?? new BodyCapture();
  if (start.body === undefined) await peekRequestBody(given[0], given[1], body);
  return questionOf({ method, url, body }, answer !== undefined, options);
}

export function questionOf(
  request: SeenRequest & { readonly body: BodyCapture },
  isReplayed: boolean,
  { sanitizer, settings: { notModels } }: QuestionOptions,
): Question {
  const { url, body } = request;
  // The body of a stream is not seen before it is sent.
  const isSeen = body.size > 0;
  const asked =
    recognise(request, undefined) ??
    (isSeen ? otherRequest({ ...request, notModels }).unknown_model_call : undefined);
  return {
    isOfModel: asked !== undefined,
    model: asked?.model && sanitizer().text(asked.model),
    host: hostOf(url),
    size: body.size,
    ...(isReplayed && { isReplayed }),
  };
}
