import { hostOf } from '../../text/parsed-url.js';
import type { Caller } from '../attempt/attempt.js';
import { BodyCapture } from './body-capture.js';
import type { CallPermissions, Question } from './call-permissions.js';
import type { CallStart } from './call-record.js';
import type { CallSanitizer } from './clean-call.js';
import { otherRequest, recognise } from './recognise.js';
import { headOfFetch, peekRequestBody } from './request-body.js';

interface QuestionOptions {
  /** What is known of its body. */
  readonly body?: BodyCapture | undefined;
  readonly isReplayed: boolean;
  readonly sanitizer: CallSanitizer;
  readonly notModels: readonly string[] | undefined;
}

/** Asks whether a call by `fetch` may be made, and makes it then. */
export async function askToFetch(
  questions: CallPermissions,
  caller: Caller,
  given: Parameters<typeof fetch>,
  options: QuestionOptions,
  make: (start: Pick<CallStart, 'asked' | 'waited'>) => Promise<Response>,
): Promise<Response> {
  const { signal } = headOfFetch(given);
  const question = await questionOfFetch(given, options);
  return questions.ask(caller, question, signal, make);
}

/** The question whether a call by `fetch` may be made. */
export async function questionOfFetch(
  given: Parameters<typeof fetch>,
  options: QuestionOptions,
): Promise<Question> {
  const { method, url } = headOfFetch(given);
  const { body = new BodyCapture() } = options;
  // A request may come without options.
  const [input, init] = given;
  if (options.body === undefined) await peekRequestBody(input, init, body);
  return questionOf({ method, url }, body, options);
}

/** The question whether a call may be made. */
export function questionOf(
  { method, url }: Pick<CallStart, 'method' | 'url'>,
  body: BodyCapture,
  { isReplayed, sanitizer, notModels }: QuestionOptions,
): Question {
  const request = { method, url, body, notModels };
  // The body of a stream is not seen before it is sent.
  const isSeen = body.size > 0;
  const asked =
    recognise(request, undefined) ??
    (isSeen ? otherRequest(request).unknown_model_call : undefined);
  return {
    isOfModel: asked !== undefined,
    model: asked?.model && sanitizer.text(asked.model),
    host: hostOf(url),
    size: body.size,
    ...(isReplayed && { isReplayed }),
  };
}
