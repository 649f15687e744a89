import { percentile } from '../../statistics/percentile.js';
import { renderNumber } from '../../text/number-text.js';
import {
  renderDollars,
  renderTokens,
  takenText,
  unknownCostText,
  unknownTokensText,
  unseenIn,
} from '../../text/usage-text.js';
import { unknownTokens } from '../calls/known-usage.js';
import { type RunUsage, usageWithTaken } from '../calls/run-usage.js';
import {
  hasReplayedLatency,
  noUsage,
  type Usage,
  UsageSum,
  type UsageTotals,
} from '../calls/usage.js';
import { sortedLatencies } from '../summary/run-figures.js';
import type { GatedRun, GateVerdict } from './gate-verdict.js';

const parts = ['targets', 'body', 'evaluators', 'total'] as const;
type Part = (typeof parts)[number];
const quantities = ['cost', 'tokens', 'calls'] as const;
type Quantity = (typeof quantities)[number];
const latencies = ['latency.p50', 'latency.p95'] as const;

/** A figure of a run that must not be over a limit. Costs, tokens and calls are what the run spent; those of `total` also what its results took over. */
export type Figure = Quantity | `${Quantity}.${Part}` | (typeof latencies)[number];

/** Every figure, in the order of the documentation. */
export const figures: readonly Figure[] = [
  ...quantities.flatMap((quantity): Figure[] => [
    quantity,
    ...parts.map((part) => `${quantity}.${part}` as const),
  ]),
  ...latencies,
];

/** True when a figure comes from calls of models. */
export function isOfCalls(figure: Figure): boolean {
  return !figure.startsWith('latency');
}

/** Judges that a figure is at most a limit: US dollars, tokens, calls or seconds. */
export function judgeFigure(figure: Figure, atMost: number, run: GatedRun): GateVerdict {
  if (figure === 'latency.p50' || figure === 'latency.p95')
    return judgeLatency(figure, atMost, run);
  const [quantity, part] = figure.split('.') as [Quantity, Part | undefined];
  const spent: RunUsage = run.summary().usage ?? noUsage;
  const usage = part === 'total' ? usageWithTaken(spent) : spent;
  const totals = part === undefined || part === 'total' ? [usage] : totalsOf(part, usage);
  const value = totals.reduce((sum, one) => sum + (amountIn(quantity, one) ?? 0), 0);
  const unknown = totals.reduce((sum, one) => sum + unknownIn(quantity, one), 0);
  // It is not known who has made calls that are not seen because something was cut off or not recorded, or may belong to other results.
  const { cut_off, elsewhere, unrecorded } = usage;
  const unseen = sumOf(totals, 'programs') + unseenIn({ cut_off, elsewhere, unrecorded });
  const short = renderers[quantity];
  // Two amounts that would read alike are written out.
  const isAlike = value !== atMost && short(value) === short(atMost);
  const render = isAlike ? (amount: number) => renderNumber(amount) : short;
  const taken = part === undefined ? takenText(spent) : '';
  const without = taken === '' ? '' : ` ${taken}`;
  // Unknown calls may be none of models.
  const least = quantity === 'calls' ? value - unknown : value;
  const isLeast = unknown + unseen > 0;
  const text = `${figure} ${isLeast ? '≥ ' : ''}${render(least)}${without}`;
  if (least > atMost) return { verdict: 'no', text: `${text} is over ${render(atMost)}` };
  if (!isLeast) return { verdict: 'yes', text: `${text}, at most ${render(atMost)} asked for` };
  if (quantity === 'calls' && unseen === 0 && value <= atMost) {
    const most = `${figure} at most ${render(value)}`;
    return { verdict: 'yes', text: `${most}, at most ${render(atMost)} asked for` };
  }
  const missing = missingText(quantity, usage, totals);
  return {
    verdict: 'cannot-tell',
    text: `${figure} ≤ ${render(atMost)} cannot be judged: ${missing}`,
  };
}

/** The calls for which the amount is not known; by name where no other calls lack it. */
function missingText(quantity: Quantity, usage: Usage, parts: readonly UsageTotals[]): string {
  const sums = kinds.map((kind) => [kind, sumOf(parts, kind)] as const);
  const { cut_off, elsewhere, unrecorded } = usage;
  const counts = {
    ...Object.fromEntries(sums.filter(([, count]) => count > 0)),
    ...(cut_off !== undefined && { cut_off }),
    ...(elsewhere !== undefined && { elsewhere }),
    ...(unrecorded !== undefined && { unrecorded }),
  };
  const isAll = sums.every(([kind, count]) => count === (usage[kind] ?? 0));
  const shown = isAll ? { ...usage, ...counts } : counts;
  if (quantity === 'cost') return unknownCostText(shown);
  const areCounted = ['without_tokens', 'unknown_calls', 'programs'] as const;
  const isUnseen = unseenIn({ cut_off, elsewhere, unrecorded }) > 0;
  const isCounted = isUnseen || areCounted.some((kind) => sumOf(parts, kind) > 0);
  if (quantity === 'calls' || isCounted) {
    return unknownTokensText(quantity === 'calls' ? { ...shown, without_tokens: 0 } : shown);
  }
  return unknownTokensText({
    without_tokens: parts.reduce((sum, one) => sum + unknownTokens(one), 0),
  });
}

const kinds = [
  ...(['unpriced', 'without_price', 'without_tokens', 'unknown_calls', 'programs'] as const),
];

function sumOf(parts: readonly UsageTotals[], kind: (typeof kinds)[number]): number {
  return parts.reduce((sum, part) => sum + (part[kind] ?? 0), 0);
}

const renderers: Readonly<Record<Quantity, (value: number) => string>> = {
  cost: renderDollars,
  tokens: renderTokens,
  calls: renderNumber,
};

function totalsOf(part: Exclude<Part, 'total'>, { by_role }: Usage): UsageTotals[] {
  const isMeant = (role: string) => {
    if (part === 'evaluators') return role.startsWith('evaluator:');
    return role === (part === 'targets' ? 'target' : part);
  };
  return Object.entries(by_role).flatMap(([role, totals]) => (isMeant(role) ? [totals] : []));
}

function amountIn(quantity: Quantity, { cost, input, output, calls }: UsageTotals): number | null {
  if (quantity === 'calls') return calls;
  return quantity === 'cost' ? cost : (input ?? 0) + (output ?? 0);
}

/** Number of calls for which the amount is not fully known. */
function unknownIn(quantity: Quantity, totals: UsageTotals): number {
  if (quantity === 'tokens') return unknownTokens(totals);
  return (quantity === 'cost' ? totals.unpriced : totals.unknown_calls) ?? 0;
}

function judgeLatency(
  figure: (typeof latencies)[number],
  atMost: number,
  { rows }: GatedRun,
): GateVerdict {
  const value = percentile(sortedLatencies(rows), figure === 'latency.p50' ? 0.5 : 0.95);
  const limit = `${renderNumber(atMost)} s`;
  if (value === null) {
    const which = rows.some(hasReplayedLatency) ? ' that is not of recordings' : '';
    const text = `${figure} ≤ ${limit} cannot be judged: no result has a latency${which}`;
    return { verdict: 'cannot-tell', text };
  }
  const text = `${figure} ${renderNumber(value)} s`;
  return value > atMost
    ? { verdict: 'no', text: `${text} is over ${limit}` }
    : { verdict: 'yes', text: `${text}, at most ${limit} asked for` };
}

const mostNamed = 3;

/** Judges that every evaluation whose target has finished called a model in it. */
export function judgeNoCalls({ rows }: GatedRun): GateVerdict {
  const called = new Map<string, 'yes' | 'no' | 'maybe'>();
  const unknown = new UsageSum();
  for (const row of rows) {
    if (row.pruned === true || row.regradable !== true) continue;
    const { evaluation, usage } = row;
    const { calls = 0, unknown_calls = 0, programs = 0 } = usage?.by_role.target ?? {};
    const maybe = unknown_calls + programs + (usage?.unrecorded ?? 0);
    const before = called.get(evaluation) ?? 'no';
    if (before === 'yes' || calls > unknown_calls) called.set(evaluation, 'yes');
    else called.set(evaluation, maybe > 0 ? 'maybe' : before);
    if (usage !== undefined && maybe > 0) unknown.add(usage);
  }
  if (called.size === 0) {
    return { verdict: 'cannot-tell', text: 'no-calls cannot be judged: no target has finished' };
  }
  const without = [...called].flatMap(([evaluation, has]) => (has === 'no' ? [evaluation] : []));
  if (without.length > 0) {
    const named = without.slice(0, mostNamed).join(', ');
    const more = without.length > mostNamed ? ` and ${without.length - mostNamed} more` : '';
    return { verdict: 'no', text: `no model was called by the target of ${named}${more}` };
  }
  if (![...called.values()].includes('maybe')) {
    return { verdict: 'yes', text: 'every target called a model' };
  }
  const missing = unknownTokensText({ ...unknown.usage(), without_tokens: 0 });
  return { verdict: 'cannot-tell', text: `no-calls cannot be judged: ${missing}` };
}
