import { percentile } from '../../statistics/percentile.js';
import type { RowFacts } from '../result.js';
import type { ListedCall } from './listed-call.js';
import { totalsOf, type Usage, UsageSum, type UsageTotals } from './usage.js';

/** What calls of one kind took; p50 and the slowest are of calls that the run made itself and that did not fail. */
interface Times {
  /** Seconds; `null` if none is known. */
  readonly p50: number | null;
  readonly slowest: number | null;
}

/** The calls of one model. */
interface ModelFigures extends Times {
  readonly model: string;
  /** What the run spent; absent if all calls were taken over. */
  readonly usage?: UsageTotals;
  /** The calls that it did not make itself, at what they cost when they were made; absent for none. */
  readonly taken?: UsageTotals;
  /** p50 of the seconds to the first token. */
  readonly first_p50: number | null;
}

/** The calls of one tool, by the models that asked for it. */
interface ToolFigures extends Times {
  readonly tool: string;
  readonly calls: number;
  /** Those whose time was recorded, and their seconds together. */
  readonly timed: number;
  readonly time: number;
  /** Those that answered with a failure. */
  readonly failed: number;
}

/** The figures of some calls of a run. */
export interface CallFigures {
  /** What the run spent; absent for nothing. */
  readonly usage?: Usage;
  /** The calls that it did not make itself; absent for none. */
  readonly taken?: UsageTotals;
  /** The dearest first; those of unknown cost last. */
  readonly models: readonly ModelFigures[];
  /** Those with the most time first. */
  readonly tools: readonly ToolFigures[];
  readonly dearest?: ListedCall;
  readonly slowest?: ListedCall;
}

/** True for a call whose time says how fast its model is now. */
function isTimed(call: ListedCall): call is ListedCall & { readonly time: number } {
  return call.time !== undefined && call.taken === undefined && !call.failed;
}

/** The p95 of the times and of the costs of calls that the run made itself; `null` if unknown. */
export function highMarks(calls: readonly ListedCall[]) {
  const times = calls.flatMap((call) => (isTimed(call) ? call.time : []));
  const costs = calls.flatMap(({ cost, taken, failed }) =>
    cost === null || taken !== undefined || failed ? [] : cost,
  );
  return { latency: p95(times), cost: p95(costs) };
}

function p95(values: readonly number[]): number | null {
  return percentile(Float64Array.from(values).sort(), 0.95);
}

/** True for a call above the p95 of times. */
export function isSlow(call: ListedCall, mark: number | null): boolean {
  return mark !== null && isTimed(call) && call.time > mark;
}

/** True for a call above the p95 of costs. */
export function isDear({ cost, taken }: ListedCall, mark: number | null): boolean {
  return mark !== null && cost !== null && taken === undefined && cost > mark;
}

/** A call with its result, as JSON. `marks`: see {@link highMarks}. */
export function callJson(
  listed: ListedCall,
  {
    rows,
    marks,
  }: { readonly rows: readonly RowFacts[]; readonly marks: ReturnType<typeof highMarks> },
) {
  const {
    counted: _,
    atLimit,
    first,
    time,
    provider,
    taken,
    input,
    cached,
    output,
    ...call
  } = listed;
  const row = rows[call.index];
  const began = row?.startedAt;
  return {
    id: row?.id ?? '',
    function: row?.function ?? '',
    dataset: row?.dataset ?? '',
    ...(row?.trial !== undefined && { trial: row.trial }),
    ...(row?.trial_of !== undefined && { trial_of: row.trial_of }),
    attempt: row?.attempt ?? 1,
    ...call,
    ...(provider !== undefined && { provider }),
    ...(taken !== undefined && { taken }),
    ...(input !== undefined && { input }),
    ...(cached !== undefined && { cached }),
    ...(output !== undefined && { output }),
    ...(atLimit && { at_limit: true as const }),
    ...(first !== undefined && { to_first_token: first }),
    ...(time !== undefined && { latency: time }),
    ...(began !== undefined && { started_at: began / 1000 + call.start }),
    ...(isSlow(listed, marks.latency) && { slow: true as const }),
    ...(isDear(listed, marks.cost) && { dear: true as const }),
  };
}

/** Adds up calls, by model and by tool. */
export function callFigures(calls: readonly ListedCall[]): CallFigures {
  const byModel = new Map<string, ListedCall[]>();
  for (const call of calls) {
    const known = byModel.get(call.model);
    if (known === undefined) byModel.set(call.model, [call]);
    else known.push(call);
  }
  const all = new UsageSum();
  const taken = new UsageSum();
  const models = [...byModel].map(([model, its]) => {
    const own = sumOf(its.filter((call) => call.taken === undefined));
    const others = sumOf(its.filter((call) => call.taken !== undefined));
    if (own !== undefined) all.add(own);
    if (others !== undefined) taken.add(others);
    return {
      model,
      ...(own && { usage: totalsOf(own) }),
      ...(others && { taken: totalsOf(others) }),
      first_p50: medianOf(its.flatMap((call) => (isTimed(call) ? (call.first ?? []) : []))),
      ...timesOf(its.flatMap((call) => (isTimed(call) ? call.time : []))),
    };
  });
  const [usage, others] = [all.usage(), taken.usage()];
  const dearest = most(calls, (call) => (call.taken === undefined ? (call.cost ?? 0) : 0));
  const slowest = most(calls, (call) => (isTimed(call) ? call.time : 0));
  return {
    ...(usage && { usage }),
    ...(others && { taken: totalsOf(others) }),
    models: models.sort((a, b) => (b.usage?.cost ?? -1) - (a.usage?.cost ?? -1)),
    tools: toolFigures(calls),
    ...(dearest && { dearest }),
    ...(slowest && { slowest }),
  };
}

function sumOf(calls: readonly ListedCall[]): Usage | undefined {
  const sum = new UsageSum();
  for (const { counted } of calls) sum.addCall(counted);
  return sum.usage();
}

function toolFigures(calls: readonly ListedCall[]): ToolFigures[] {
  const byTool = new Map<string, { calls: number; failed: number; readonly times: number[] }>();
  for (const { tools } of calls) {
    for (const { name, time, failed } of tools) {
      const known = byTool.get(name) ?? { calls: 0, failed: 0, times: [] };
      byTool.set(name, known);
      known.calls += 1;
      if (failed) known.failed += 1;
      if (time !== undefined) known.times.push(time);
    }
  }
  return [...byTool]
    .map(([tool, { times, ...counts }]) => ({
      tool,
      ...counts,
      timed: times.length,
      time: times.reduce((sum, one) => sum + one, 0),
      ...timesOf(times),
    }))
    .sort((a, b) => b.time - a.time || b.calls - a.calls);
}

function timesOf(times: readonly number[]): Times {
  const sorted = Float64Array.from(times).sort();
  return { p50: percentile(sorted, 0.5), slowest: sorted.at(-1) ?? null };
}

function medianOf(values: readonly number[]): number | null {
  return timesOf(values).p50;
}

/** The first call with the greatest value above zero. */
function most(
  calls: readonly ListedCall[],
  numberOf: (call: ListedCall) => number,
): ListedCall | undefined {
  let found: ListedCall | undefined;
  let greatest = 0;
  for (const call of calls) {
    const value = numberOf(call);
    if (value <= greatest) continue;
    [found, greatest] = [call, value];
  }
  return found;
}
