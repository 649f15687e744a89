import { countOf, renderCount } from './count-text.js';

/** The shown usage of a group of calls. */
interface ShownTotals {
  readonly calls: number;
  readonly input?: number;
  readonly cache_read?: number;
  readonly output?: number;
  /** US dollars of the calls whose price is known; `null` when that is none. */
  readonly cost: number | null;
  /** Calls whose price is not known. */
  readonly unpriced?: number;
  /** Calls that got an error or no answer, and calls that repeat one. */
  readonly failed?: number;
  readonly retried?: number;
}

/** The shown usage of the calls of a run. */
export interface ShownUsage extends ShownTotals {
  /** Calls that were answered from a recording. */
  readonly replayed?: number;
  readonly unpriced_models?: readonly string[];
  readonly by_role: { readonly [role: string]: ShownTotals };
}

/**
 * Usage as one line: `180 calls · 412k tokens in (310k cached), 38k out · ≥ $1.84 (target $0.61, …) · 3 not priced`.
 * `unlisted` are US dollars of calls that no result has.
 */
export function renderUsage(usage: ShownUsage, unlisted = 0): string {
  const { calls, input, cache_read: cached = 0, output } = usage;
  const { replayed = 0, unpriced = 0, failed = 0, retried = 0 } = usage;
  const tokens = [
    input !== undefined &&
      `${renderTokens(input)} tokens in${cached > 0 ? ` (${renderTokens(cached)} cached)` : ''}`,
    output !== undefined && `${renderTokens(output)}${input === undefined ? ' tokens' : ''} out`,
  ];
  const parts = [
    countOf(calls, 'call'),
    tokens.filter((part) => part !== false).join(', '),
    usage.cost === null ? '' : [renderCost(usage), costByRole(usage)].filter(Boolean).join(' '),
    unlisted > 0 ? `${renderDollars(unlisted)} more for stopped or repeated attempts` : '',
    replayed > 0 ? `${renderCount(replayed)} replayed` : '',
    unpriced > 0 ? `${renderCount(unpriced)} not priced${modelNames(usage)}` : '',
    failed > 0 ? `${renderCount(failed)} failed` : '',
    retried > 0 ? `${renderCount(retried)} retried` : '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/** Hint for calls without a price. */
export const pricesHint = 'give the price of the model under prices in assay.yaml';

/** The calls whose price is not known: `3 calls are not priced: my-model`. */
export function unpricedText(calls: number, usage: Partial<ShownUsage> | undefined): string {
  return `${countOf(calls, 'call')} ${calls === 1 ? 'is' : 'are'} not priced${modelNames(usage)}`;
}

const mostNamed = 3;

/** The models without a known price, `: my-model, other and 2 more`; empty if none is named. */
export function modelNames({ unpriced_models: names = [] }: Partial<ShownUsage> = {}): string {
  if (names.length === 0) return '';
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  return `: ${names.slice(0, mostNamed).join(', ')}${more}`;
}

/** A cost: `$1.84`; `≥ $1.84` when some calls have no price, `unknown` when none has one. */
export function renderCost({ cost, unpriced = 0 }: Pick<ShownTotals, 'cost' | 'unpriced'>): string {
  if (cost === null) return 'unknown';
  return unpriced > 0 ? `≥ ${renderDollars(cost)}` : renderDollars(cost);
}

/** US dollars, with four decimals below a tenth: `$1,204`, `$12.40`, `$0.61`, `$0.0040`, `<$0.0001`. */
export function renderDollars(dollars: number): string {
  if (dollars >= 999.995) return `$${renderCount(Math.round(dollars))}`;
  if (dollars === 0 || dollars >= 0.09995) return `$${dollars.toFixed(2)}`;
  return dollars < 0.00005 ? '<$0.0001' : `$${dollars.toFixed(4)}`;
}

/** US dollars of one evaluation, which can be tiny: below a tenth of a cent two digits, `$0.00042`. */
export function renderSmallDollars(dollars: number): string {
  if (dollars >= 0.001) return renderDollars(dollars);
  // A billionth of a dollar is rounding.
  return dollars < 1e-9 ? '$0.00' : `$${dollars.toFixed(1 - Math.floor(Math.log10(dollars)))}`;
}

/** The cases that a comparison leaves out: `cost is compared without 2 cases with calls not priced`. */
export function leftOutText(amount: string, cases: number): string {
  const without = `compared without ${countOf(cases, 'case')} with calls`;
  return amount === 'cost'
    ? `cost is ${without} not priced`
    : `${amount} are ${without} of unknown ${amount}`;
}

/** All tokens of a run, `412k`; empty where no provider said any. */
export function renderAllTokens({ input, output }: Pick<ShownTotals, 'input' | 'output'>): string {
  const isKnown = input !== undefined || output !== undefined;
  return isKnown ? renderTokens((input ?? 0) + (output ?? 0)) : '';
}

/** A count of tokens: `812`, `4.1k`, `412k`, `1.3M`. */
export function renderTokens(tokens: number): string {
  for (const [size, unit] of [
    [1e9, 'B'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const) {
    // From where it rounds up to this unit.
    if (tokens < size * 0.9995) continue;
    const count = tokens / size;
    return `${count < 9.95 ? count.toFixed(1).replace('.0', '') : Math.round(count)}${unit}`;
  }
  return String(Math.round(tokens));
}

/** Target, evaluators and the rest; nothing for a single one, which is the whole, and where nothing cost anything. */
function costByRole({ by_role }: ShownUsage): string {
  const groups = new Map<string, { cost: number | null; unpriced: number }>();
  for (const [role, { cost, unpriced = 0 }] of Object.entries(by_role)) {
    const name = role.startsWith('evaluator:') ? 'evaluators' : role;
    const known = groups.get(name) ?? { cost: null, unpriced: 0 };
    groups.set(name, {
      cost: cost === null ? known.cost : (known.cost ?? 0) + cost,
      unpriced: known.unpriced + unpriced,
    });
  }
  const isFree = [...groups.values()].every(({ cost, unpriced }) => cost === 0 && unpriced === 0);
  if (groups.size < 2 || isFree) return '';
  const order = ['target', 'body', 'evaluators', 'file'];
  const shown = [...groups]
    .sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
    .map(([name, group]) => `${name} ${renderCost(group)}`);
  return `(${shown.join(', ')})`;
}
