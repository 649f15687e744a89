import type { RowFacts } from '../result.js';
import { hasFailed } from './known-usage.js';
import type { CallRole, Span } from './model-call.js';
import { spanOutcome } from './nested-trace.js';
import { isSpent } from './run-usage.js';
import type { LightCall, LightCalls } from './stored-calls.js';
import { type CountedCall, isCounted } from './usage.js';

/** Why a run did not make a call itself: it was `replayed` from a recording, or belongs to a result of another run. */
type TakenKind = 'replayed' | 'carried' | 'regraded';

/** A call of a model as lists show it. What is not known is `undefined`: with all fields in one order, many are made quickly. */
export interface ListedCall {
  /** Position of its result in the run, and of the call in the attempt. */
  readonly index: number;
  readonly number: number;
  readonly role: CallRole;
  /** The model, else the operation. */
  readonly model: string;
  readonly provider: string | undefined;
  /** The tools that the model asked for. */
  readonly tools: readonly {
    readonly name: string;
    /** Seconds; absent where its execution was not recorded, or has not ended. */
    readonly time?: number;
    /** It answered with a failure. */
    readonly failed?: true;
  }[];
  /** The outcome in a word: `stop`, `tool call`, `429`, `no answer`, `not ended`. */
  readonly finish: string;
  readonly failed: boolean;
  /** The answer ended at the limit of its tokens. */
  readonly atLimit: boolean;
  /** `undefined` for a call that the run made itself. */
  readonly taken: TakenKind | undefined;
  readonly input: number | undefined;
  /** The part of `input` that was read from the cache of the provider. */
  readonly cached: number | undefined;
  readonly output: number | undefined;
  /** US dollars, also of a call that the run did not make itself; `null` if its price or its tokens are not known. */
  readonly cost: number | null;
  /** Seconds to the first token; `undefined` for answers that were not streamed. */
  readonly first: number | undefined;
  /** Seconds; of a replayed call those of its recording. */
  readonly time: number | undefined;
  /** Seconds after the attempt began. */
  readonly start: number;
  /** What sums need. */
  readonly counted: CountedCall;
}

/** The calls of a result that usage counts, in their order. */
export function listedCalls(
  { calls, spans }: LightCalls,
  index: number,
  origin: RowFacts['origin'],
): ListedCall[] {
  const ran =
    spans === undefined
      ? noSpans
      : new Map(spans.flatMap((span) => (span.kind === 'tool' ? [[span.id, span]] : [])));
  return calls.filter(isCounted).map((call) => listedCall(call, { index, origin, ran }));
}

const noSpans: ReadonlyMap<string, Span> = new Map();

function listedCall(
  call: LightCall,
  {
    index,
    origin,
    ran,
  }: {
    readonly index: number;
    readonly origin: RowFacts['origin'];
    readonly ran: ReadonlyMap<string, Span>;
  },
): ListedCall {
  const { number, role, model_call: exchange, start, end, first_token, cost = null } = call;
  const { provider, usage = {}, tool_calls = [], finish_reason: reason } = exchange ?? {};
  const { input, cache_read: cached, output } = usage;
  const replayed = call.replayed === true;
  const taken = replayed ? 'replayed' : isSpent(role, origin) ? undefined : origin?.kind;
  const time = replayed ? call.recorded_duration : end === undefined ? undefined : end - start;
  return {
    index,
    number,
    role,
    model: modelOf(call),
    provider,
    tools:
      tool_calls.length === 0
        ? noTools
        : tool_calls.map(({ id, name }) => toolUse(name, ran.get(id ?? ''))),
    finish: finishOf(call),
    failed: hasFailed(call),
    atLimit: reason !== undefined && atLimit.has(reason.toLowerCase()),
    taken,
    input,
    cached,
    output,
    cost,
    first: first_token === undefined ? undefined : first_token - start,
    time,
    start,
    counted: countedOf(call),
  };
}

const noTools: ListedCall['tools'] = [];

/** As providers spell it, in lower case. */
const atLimit = new Set(['length', 'max_tokens', 'max_output_tokens', 'maxtokens']);

function modelOf({ model_call, unknown_model_call: unknown }: LightCall): string {
  const { response_model, model, operation } = model_call ?? {};
  return model ?? response_model ?? unknown?.model ?? operation ?? 'unknown model';
}

function toolUse(name: string, span: Span | undefined): ListedCall['tools'][number] {
  if (span === undefined) return { name };
  const { start, end } = span;
  const failed = end !== undefined && spanOutcome(span) !== '';
  return { name, ...(end !== undefined && { time: end - start }), ...(failed && { failed }) };
}

function finishOf({ status, error, end, late, model_call, replayed }: LightCall): string {
  if (status !== undefined && status >= 400) return String(status);
  if (error !== undefined) return status === undefined ? 'no answer' : 'broken off';
  if (end === undefined && replayed !== true) return 'not ended';
  if (model_call === undefined) return 'not understood';
  if (model_call.error !== undefined) return 'error';
  if (model_call.cut === true) return 'cut';
  if (late === true) return 'late';
  if ((model_call.tool_calls?.length ?? 0) > 0) return 'tool call';
  return model_call.finish_reason ?? '';
}

/** The fields of a call that its usage depends on, without the long ones. */
function countedOf(call: LightCall): CountedCall {
  const { role, cost, status, error, retry_of, unknown_model_call, url, model_call } = call;
  const counted = { role, cost, status, error, retry_of, unknown_model_call, url };
  // Sums take a field that is undefined for one that is absent.
  if (model_call === undefined) return counted as CountedCall;
  const { usage, error: said, model, response_model, operation, cut, stream } = model_call;
  const exchange = { usage, error: said, model, response_model, operation, cut, stream };
  return { ...counted, model_call: exchange } as CountedCall;
}

/** What calls can be sorted by. */
export const callSorts = [
  'case',
  'cost',
  'latency',
  'tokens',
  'input',
  'cached',
  'output',
  'first_token',
  'started',
] as const;
export type CallSort = (typeof callSorts)[number];

/**
 * The value that a call is sorted by; `undefined` if it is not known. A failed call that cost nothing has no cost to compare.
 * `startedAt`: when the attempt of a result began, in Unix milliseconds.
 */
function sortValue(
  by: Exclude<CallSort, 'case'>,
  startedAt: (index: number) => number | undefined,
): (call: ListedCall) => number | undefined {
  switch (by) {
    case 'cost':
      return ({ cost, failed }) => (cost === null || (failed && cost === 0) ? undefined : cost);
    case 'latency':
      return ({ time }) => time;
    case 'first_token':
      return ({ first }) => first;
    case 'tokens':
      return ({ input, output }) =>
        input === undefined && output === undefined ? undefined : (input ?? 0) + (output ?? 0);
    case 'started':
      return ({ index, start }) => {
        const began = startedAt(index);
        return began === undefined ? undefined : began + start * 1000;
      };
    default:
      return (call) => call[by];
  }
}

/** Sorts calls, given in the order of the run. Equal ones keep that order, and those without the value come last in both directions. */
export function sortCalls(
  calls: readonly ListedCall[],
  { by, descending }: { readonly by: CallSort; readonly descending: boolean },
  rows: readonly Pick<RowFacts, 'startedAt'>[],
): readonly ListedCall[] {
  if (by === 'case') return descending ? calls.toReversed() : calls;
  const numberOf = sortValue(by, (index) => rows[index]?.startedAt);
  const known: (readonly [call: ListedCall, value: number])[] = [];
  const unknown: ListedCall[] = [];
  for (const call of calls) {
    const value = numberOf(call);
    if (value === undefined) unknown.push(call);
    else known.push([call, value]);
  }
  const sign = descending ? -1 : 1;
  known.sort(([, a], [, b]) => sign * (a - b));
  return [...known.map(([call]) => call), ...unknown];
}
