import { percentile } from '../../statistics/percentile.js';
import { renderNumber } from '../../text/number-text.js';
import { pricesHint, renderDollars, renderTokens, unpricedText } from '../../text/usage-text.js';
import { hasReplayedLatency, noUsage, type Usage, type UsageTotals } from '../calls/usage.js';
import { sortedLatencies } from '../summary/run-figures.js';
import type { GatedRun, GateVerdict } from './gate-verdict.js';

const parts = ['targets', 'body', 'evaluators'] as const;
type Part = (typeof parts)[number];
const quantities = ['cost', 'tokens', 'calls'] as const;
type Quantity = (typeof quantities)[number];
const latencies = ['latency.p50', 'latency.p95'] as const;

/** A figure of a run that must not be over a limit. */
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
  const usage = run.summary().usage ?? noUsage;
  const totals = part === undefined ? [usage] : totalsOf(part, usage);
  const value = totals.reduce((sum, one) => sum + (amountIn(quantity, one) ?? 0), 0);
  const unknown = quantity === 'calls' ? 0 : unknownIn(quantity, totals);
  const short = renderers[quantity];
  // Two amounts that would read alike are written out.
  const isAlike = value !== atMost && short(value) === short(atMost);
  const render = isAlike ? (amount: number) => renderNumber(amount) : short;
  const replayed = totals.reduce((sum, one) => sum + (one.replayed ?? 0), 0);
  const without =
    quantity === 'cost' && replayed > 0 ? ` without ${renderNumber(replayed)} replayed` : '';
  const text = `${figure} ${unknown > 0 ? '≥ ' : ''}${render(value)}${without}`;
  if (value > atMost) return { verdict: 'no', text: `${text} is over ${render(atMost)}` };
  if (unknown === 0)
    return { verdict: 'yes', text: `${text}, at most ${render(atMost)} asked for` };
  const calls = unknown === 1 ? '1 call has' : `${renderNumber(unknown)} calls have`;
  const missing =
    quantity === 'cost'
      ? `${unpricedText(unknown, part === undefined ? usage : undefined)}; ${pricesHint}`
      : `${calls} no known number of tokens`;
  return {
    verdict: 'cannot-tell',
    text: `${figure} ≤ ${render(atMost)} cannot be judged: ${missing}`,
  };
}

const renderers: Readonly<Record<Quantity, (value: number) => string>> = {
  cost: renderDollars,
  tokens: renderTokens,
  calls: renderNumber,
};

function totalsOf(part: Part, { by_role }: Usage): UsageTotals[] {
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
function unknownIn(quantity: 'cost' | 'tokens', totals: readonly UsageTotals[]): number {
  return totals.reduce((sum, { unpriced = 0, calls, input, output }) => {
    if (quantity === 'cost') return sum + unpriced;
    return sum + (input === undefined && output === undefined ? calls : 0);
  }, 0);
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
  const called = new Map<string, boolean>();
  for (const row of rows) {
    if (row.pruned === true || row.regradable !== true) continue;
    const { evaluation } = row;
    const calls = row.usage?.by_role.target?.calls ?? 0;
    called.set(evaluation, called.get(evaluation) === true || calls > 0);
  }
  if (called.size === 0) {
    return { verdict: 'cannot-tell', text: 'no-calls cannot be judged: no target has finished' };
  }
  const without = [...called].flatMap(([evaluation, has]) => (has ? [] : [evaluation]));
  if (without.length === 0) return { verdict: 'yes', text: 'every target called a model' };
  const named = without.slice(0, mostNamed).join(', ');
  const more = without.length > mostNamed ? ` and ${without.length - mostNamed} more` : '';
  return { verdict: 'no', text: `no model was called by the target of ${named}${more}` };
}
