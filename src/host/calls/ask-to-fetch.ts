import type { Caller } from '../attempt/attempt.js';
import { BodyCapture } from './body-capture.js';
import type { CallPermissions, Question } from './call-permissions.js';
import type { CallStart } from './call-record.js';
import type { CallSanitizer } from './clean-call.js';
import { recognise } from './recognise.js';
import { peekRequestBody } from './request-body.js';

interface QuestionOptions {
  readonly isReplayed: boolean;
  readonly sanitizer: CallSanitizer;
}

/** Asks whether a call by `fetch` may be made, and makes it then. */
export async function askToFetch(
  questions: CallPermissions,
  caller: Caller,
  [input, init]: Parameters<typeof fetch>,
  options: QuestionOptions,
  make: (start: Pick<CallStart, 'asked' | 'waited'>) => Promise<Response>,
): Promise<Response> {
  const request = input instanceof Request ? input : undefined;
  const url = request?.url ?? String(input);
  const method = (init?.method ?? request?.method ?? 'GET').toUpperCase();
  const capture = new BodyCapture();
  await peekRequestBody(input, init, capture);
  const question = questionOf({ method, url }, capture, options);
  return questions.ask(caller, question, init?.signal ?? request?.signal, make);
}

/** The question whether a call may be made. */
export function questionOf(
  { method, url }: Pick<CallStart, 'method' | 'url'>,
  body: BodyCapture,
  { isReplayed, sanitizer }: QuestionOptions,
): Question {
  const exchange = recognise({ method, url, headers: {}, body: body.bytes() }, undefined);
  return {
    isOfModel: exchange !== undefined,
    model: exchange?.model && sanitizer.text(exchange.model),
    host: URL.canParse(url) ? new URL(url).host : '',
    size: body.size,
    ...(isReplayed && { isReplayed }),
  };
}
