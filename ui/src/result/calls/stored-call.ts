import type { StoredCall, StoredCalls } from '../../../../src/model/calls/stored-calls.js';
import type { Json } from '../../../../src/model/json.js';

/** True for a failed call. */
export function isFailed({ status, error, model_call }: StoredCall): boolean {
  return error !== undefined || (status ?? 0) >= 400 || model_call?.error !== undefined;
}

/** The outcome of a call, in a word or two: `stop`, `429`, `→ find`, `2 tool calls`, `not ended`. */
export function outcomeOf(call: StoredCall): string {
  const { status, end, late, error, model_call } = call;
  if (status !== undefined && status >= 400) return String(status);
  if (error !== undefined) return status === undefined ? 'no answer' : 'broken off';
  if (end === undefined) return 'not ended';
  if (model_call?.error !== undefined) return 'error';
  if (model_call?.cut === true) return 'cut';
  if (late === true) return 'late';
  const { tool_calls: tools = [], finish_reason: reason } = model_call ?? {};
  if (tools.length > 1) return `${tools.length} tool calls`;
  if (tools[0] !== undefined) return `→ ${tools[0].name}`;
  return reason ?? (model_call === undefined ? String(status ?? '') : '');
}

/** The address without its scheme. */
export function shortUrl(url: string): string {
  return url.replace(/^https?:\/\//, '');
}

/** The id under which the provider knows the call. */
export function requestId({ headers = {}, model_call }: StoredCall): string | undefined {
  const name = Object.keys(headers).find((key) => /request-?id$/i.test(key));
  return (name === undefined ? undefined : headers[name]) ?? model_call?.response_id;
}

/** The texts at these places. */
export function textsAt({ texts }: StoredCalls, places: readonly number[] = []): Json[] {
  return places.map((place) => texts[place] ?? null);
}

/** The common start of a request with an earlier one. */
export interface Earlier {
  /** The call that sent the same before. */
  readonly number: number;
  /** Number of equal messages from the first. */
  readonly count: number;
}

/** The earlier call of the same role that this one continues: the last one with the longest common start. */
export function earlierOf({ calls }: StoredCalls, call: StoredCall): Earlier | undefined {
  const sent = call.model_call?.messages ?? [];
  let best: Earlier | undefined;
  for (const { number, role, model_call } of calls) {
    if (number >= call.number || role !== call.role) continue;
    const count = commonStart(model_call?.messages ?? [], sent);
    if (count > 0 && count >= (best?.count ?? 0)) best = { number, count };
  }
  return best;
}

function commonStart(a: readonly number[], b: readonly number[]): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

/** A call as it was made, with its texts. */
export function wholeCall(stored: StoredCalls, { model_call, ...call }: StoredCall): object {
  if (model_call === undefined) return call;
  const { messages, answer, tools, ...exchange } = model_call;
  return {
    ...call,
    model_call: {
      ...exchange,
      ...(messages && { messages: textsAt(stored, messages) }),
      ...(answer && { answer: textsAt(stored, answer) }),
      ...(tools && { tools: textsAt(stored, tools) }),
    },
  };
}

/** The messages of the target: what its last call of a model sent, and the answer. */
export function conversationOf(stored: StoredCalls): Json[] | undefined {
  const { calls } = stored;
  const isSpoken = ({ model_call }: StoredCall) => model_call?.messages !== undefined;
  const last =
    calls.findLast((call) => call.role === 'target' && isSpoken(call)) ?? calls.findLast(isSpoken);
  if (last?.model_call === undefined) return undefined;
  const { messages, answer } = last.model_call;
  return textsAt(stored, [...(messages ?? []), ...(answer ?? [])]);
}
