import type { Caller } from '../attempt.js';
import { BodyCapture } from './body-capture.js';
import type { CallQuestions } from './call-questions.js';
import { recognise } from './recognise.js';
import { peekRequestBody } from './request-body.js';

/** Asks whether a call by `fetch` may be made; resolves to the seconds for which it was held. */
export async function askToFetch(
  questions: CallQuestions,
  caller: Caller,
  [input, init]: Parameters<typeof fetch>,
): Promise<number> {
  const request = input instanceof Request ? input : undefined;
  const url = request?.url ?? String(input);
  const method = (init?.method ?? request?.method ?? 'GET').toUpperCase();
  const capture = new BodyCapture();
  await peekRequestBody(input, init, capture);
  const exchange = recognise({ method, url, headers: {}, body: capture.bytes() }, undefined);
  const question = {
    isOfModel: exchange !== undefined,
    model: exchange?.model,
    host: URL.canParse(url) ? new URL(url).host : '',
  };
  return questions.ask(caller, question, init?.signal ?? request?.signal);
}
