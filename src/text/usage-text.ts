import { countOf, renderCount } from './count-text.js';

/** The shown usage of a group of calls. */
interface ShownTotals {
  readonly calls: number;
  readonly input?: number;
  readonly cache_read?: number;
  readonly output?: number;
  /** US dollars of the calls whose cost is known; `null` when that is none. */
  readonly cost: number | null;
  /** Calls whose cost is not known, and those of them of which only the price is missing. */
  readonly unpriced?: number;
  readonly without_price?: number;
  /** Calls that did not report their tokens. */
  readonly without_tokens?: number;
  /** Calls that look like one of a model and are not understood. */
  readonly unknown_calls?: number;
  /** Started programs whose calls are not seen. */
  readonly programs?: number;
  /** How often something that called models was cut off. */
  readonly cut_off?: number;
  /** Calls that may belong to this part of a run are in no result of it. */
  readonly elsewhere?: number;
  /** Results of other tools that did not record their calls. */
  readonly unrecorded?: number;
  /** Calls that got an error or no answer, and calls that repeat one. */
  readonly failed?: number;
  readonly retried?: number;
}

/** What calls used when they ran, not in the run that shows it. */
interface ShownTaken {
  readonly carried?: ShownTotals & { readonly results: number };
  readonly regraded?: ShownTotals & { readonly results: number };
  readonly replayed?: ShownTotals & { readonly results: number };
}

/** The parts of a usage that no result shows: of replaced attempts, and of what has no result. */
interface ShownParts {
  readonly replaced?: ShownTotals;
  readonly unlisted?: ShownTotals;
}

/** Usage, and what is taken over beside it. */
type WithTaken = ShownTotals & { readonly taken?: ShownTaken };

/** The shown usage of the calls of a run. */
export interface ShownUsage extends ShownTotals, ShownParts {
  readonly taken?: ShownTaken;
  readonly unpriced_models?: readonly string[];
  readonly models_without_tokens?: readonly string[];
  readonly needs_include_usage?: boolean;
  readonly unknown_hosts?: readonly string[];
  readonly program_names?: readonly string[];
  readonly by_role: { readonly [role: string]: ShownTotals };
}

/**
 * What a run spent as one line: `180 calls · 412k tokens in (310k cached), 38k out · ≥ $1.84 (target $0.61, …) · 3 not
 * priced · 20 calls, $0.10 of it for replaced attempts · (284 carried: 1,463 calls, $0.97)`.
 */
export function renderUsage(usage: ShownUsage): string {
  const { calls, failed = 0, retried = 0 } = usage;
  const parts = [
    calls === 0 && unseenIn(usage) > 0 ? '' : callsText(usage),
    tokensText(usage),
    usage.cost === null ? '' : [renderCost(usage), costByRole(usage)].filter(Boolean).join(' '),
    withoutPrice(usage) > 0
      ? `${renderCount(withoutPrice(usage))} not priced${namesText(usage.unpriced_models)}`
      : '',
    ...unknownTokensTexts(usage),
    ...hintsOf(usage),
    failed > 0 ? `${renderCount(failed)} failed` : '',
    retried > 0 ? `${renderCount(retried)} retried` : '',
    ...partTexts(usage),
    takenText(usage),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/** Tokens of calls: `≥ 10k tokens in (3k cached), 2k out`; empty where none are reported. The `≥` is that of both. */
export function tokensText(usage: ShownTotals): string {
  const { input, cache_read: cached = 0, output } = usage;
  const ofCache = cached > 0 ? ` (${renderTokens(cached)} cached)` : '';
  const parts = [
    ...(input === undefined ? [] : [`${renderTokens(input)} tokens in${ofCache}`]),
    ...(output === undefined
      ? []
      : [`${renderTokens(output)}${input === undefined ? ' tokens' : ''} out`]),
  ];
  return atLeast(usage, parts.join(', '));
}

/** What of a usage no result shows: `20 calls, $0.10 of it for replaced attempts`; none for nothing. */
export function partTexts({ replaced, unlisted }: ShownParts): string[] {
  // Where calls are only not known, that is said instead.
  const hasUnlisted = unlisted !== undefined && (spent(unlisted) || unseenIn(unlisted) === 0);
  return [
    ...(replaced && spent(replaced) ? [`${spentText(replaced)} of it for replaced attempts`] : []),
    ...(hasUnlisted ? [`${spentText(unlisted)} of it without a result`] : []),
  ];
}

/** What of a run an export lacks: `Not in it: 20 calls, $0.10 of replaced attempts`; `undefined` for nothing. */
export function leftOutText({ replaced, unlisted }: ShownParts): string | undefined {
  const parts = [
    ...(replaced ? [`${spentText(replaced)} of replaced attempts`] : []),
    ...(unlisted ? [`${spentText(unlisted)} of stopped attempts`] : []),
  ];
  return parts.length === 0 ? undefined : `Not in it: ${parts.join('; ')}`;
}

function spent({ calls, programs = 0 }: ShownTotals): boolean {
  return calls + programs > 0;
}

function spentText(part: ShownTotals): string {
  const calls = part.calls > 0 ? [countOf(part.calls, 'call')] : [];
  return [...calls, part.cost === null ? 'cost unknown' : renderCost(part)].join(', ');
}

/**
 * What carried, regraded and replayed results used when they ran: `(284 carried: 1,463 calls, $0.97)`; empty for none.
 * Regraded ones took over the calls of their target.
 */
export function takenText({ taken = {} }: { readonly taken?: ShownTaken }): string {
  const parts = (['carried', 'regraded', 'replayed'] as const).flatMap((kind) => {
    const used = taken[kind];
    if (used === undefined) return [];
    return [`${renderCount(used.results)} ${kind}: ${spentText(used)}`];
  });
  return parts.length === 0 ? '' : `(${parts.join('; ')})`;
}

/** A hint to a figure: what of it no result shows, and what is not in it; `undefined` for neither. */
export function usageHint(
  usage: (ShownParts & { readonly taken?: ShownTaken }) | undefined,
): string | undefined {
  const parts = usage === undefined ? [] : partTexts(usage);
  const taken = usage?.taken ? [`Not spent by this run: ${takenText(usage)}`] : [];
  return [...parts, ...taken].join('\n') || undefined;
}

/** An amount that a run spent, and in brackets what its results took over: `$0.0036 ($0.97)`. */
export function besideTaken(usage: WithTaken, render: (of: ShownTotals) => string): string {
  const all = sumOfTaken(usage);
  const taken = all === undefined ? '' : render(all);
  return [render(usage), taken === '' ? '' : `(${taken})`].filter((text) => text !== '').join(' ');
}

/** The same of one result; in brackets alone if nothing ran: `($0.97)`. */
export function resultBesideTaken(usage: WithTaken, render: (of: ShownTotals) => string): string {
  const all = usage.calls > 0 || unseenIn(usage) > 0 ? undefined : sumOfTaken(usage);
  return all === undefined ? besideTaken(usage, render) : `(${render(all)})`;
}

/** What a run took over, whatever the reason; `undefined` for nothing. */
function sumOfTaken({ taken = {} }: WithTaken): ShownTotals | undefined {
  const parts = Object.values(taken) as ShownTotals[];
  if (parts.length === 0) return undefined;
  const kinds = [
    ...(['input', 'output', 'unpriced', 'without_price'] as const),
    ...(['without_tokens', 'unknown_calls', 'programs', 'cut_off', 'elsewhere'] as const),
    ...(['unrecorded'] as const),
  ];
  const known = kinds.filter((kind) => parts.some((part) => part[kind] !== undefined));
  const costs = parts.flatMap(({ cost }) => cost ?? []);
  return {
    calls: parts.reduce((sum, { calls }) => sum + calls, 0),
    cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    ...Object.fromEntries(
      known.map((kind) => [kind, parts.reduce((sum, part) => sum + (part[kind] ?? 0), 0)]),
    ),
  };
}

/** A text of tokens with `≥` before it, where some calls did not report theirs. */
function atLeast(totals: Partial<ShownTotals>, tokens: string): string {
  return tokens !== '' && lackTokens(totals) ? `≥ ${tokens}` : tokens;
}

/** True where some tokens are not known. */
function lackTokens(totals: Partial<ShownTotals>): boolean {
  const { without_tokens: without = 0, unknown_calls: unknown = 0 } = totals;
  return without + unknown + unseenIn(totals) > 0;
}

/** Number of things that may have made any number of calls which are not seen. */
export function unseenIn({
  programs = 0,
  cut_off = 0,
  elsewhere = 0,
  unrecorded = 0,
}: {
  readonly programs?: number | undefined;
  readonly cut_off?: number | undefined;
  readonly elsewhere?: number | undefined;
  readonly unrecorded?: number | undefined;
}): number {
  return programs + cut_off + elsewhere + unrecorded;
}

/** Hint for calls without a price. */
const pricesHint = 'give the price of the model under prices in assay.yaml';

const noCallsHint = 'programs that call no models belong under not_models in assay.yaml';

/** What is missing for a cost, and what to do: `3 calls are not priced: my-model; give the price …`. */
export function unknownCostText(usage: Partial<ShownUsage>): string {
  const count = withoutPrice(usage);
  const verb = count === 1 ? 'is' : 'are';
  const unpriced = `${countOf(count, 'call')} ${verb} not priced${namesText(usage.unpriced_models)}`;
  const texts = [...(count > 0 ? [unpriced] : []), ...unknownTokensTexts(usage)];
  const hints = [...(count > 0 ? [pricesHint] : []), ...hintsOf(usage)];
  return [texts.join(', '), ...hints].join('; ');
}

/** What is missing for a number of tokens, and what to do: `19 calls report no tokens: my-model`. */
export function unknownTokensText(usage: Partial<ShownUsage>): string {
  return [unknownTokensTexts(usage).join(', '), ...hintsOf(usage)].join('; ');
}

function hintsOf(usage: Partial<ShownUsage>): string[] {
  const { unknown_calls: unknown = 0, unknown_hosts: hosts, programs = 0 } = usage;
  return [...(unknown > 0 ? [notModelsHint(hosts)] : []), ...(programs > 0 ? [noCallsHint] : [])];
}

/** What to do about calls that are not understood: `if no model answers there, add localhost:3000 to not_models …`. */
export function notModelsHint(hosts: readonly string[] = []): string {
  const [host] = hosts;
  const what = host === undefined || hosts.length > 1 ? 'these hosts' : host;
  return `if no model answers there, add ${what} to not_models in assay.yaml`;
}

/**
 * `1 call reported no tokens: my-model (stream_options.include_usage)`, `2 unknown model calls to api.example.com`,
 * `2 programs were started, what they call is not seen: curl, python3`, `cut off once, so the last calls are not known`,
 * `calls without a result, or at import, may belong to these results`, `2 results came without their calls`.
 */
export function unknownTokensTexts(usage: Partial<ShownUsage>): string[] {
  const { without_tokens: without = 0, unknown_calls: unknown = 0, programs = 0 } = usage;
  const verb = without === 1 ? 'reported' : 'report';
  const names = namesText(usage.models_without_tokens);
  const hint = usage.needs_include_usage ? ' (stream_options.include_usage)' : '';
  const hosts = namesText(usage.unknown_hosts, ' to ');
  return [
    ...(without > 0 ? [`${countOf(without, 'call')} ${verb} no tokens${names}${hint}`] : []),
    ...(unknown > 0 ? [`${countOf(unknown, 'unknown model call')}${hosts}`] : []),
    ...(programs > 0 ? [programsText(programs, usage.program_names)] : []),
    ...(usage.cut_off
      ? [`cut off ${timesText(usage.cut_off)}, so the last calls are not known`]
      : []),
    ...(usage.elsewhere
      ? ['calls without a result, or at import, may belong to these results']
      : []),
    ...(usage.unrecorded ? [unrecordedText(usage.unrecorded)] : []),
  ];
}

function unrecordedText(count: number): string {
  return `${countOf(count, 'result')} came without ${count === 1 ? 'its' : 'their'} calls`;
}

function timesText(count: number): string {
  return count === 1 ? 'once' : `${renderCount(count)} times`;
}

function programsText(count: number, names: readonly string[] | undefined): string {
  const what = count === 1 ? 'was started, what it calls' : 'were started, what they call';
  return `${countOf(count, 'program')} ${what} is not seen${namesText(names)}`;
}

/** Calls with known tokens of a model whose price is not known. */
export function withoutPrice(totals: Partial<ShownTotals>): number {
  const { unpriced = 0, without_tokens, unknown_calls, programs, cut_off, elsewhere } = totals;
  const { unrecorded } = totals;
  const reasons = [without_tokens, unknown_calls, programs, cut_off, elsewhere, unrecorded];
  // Runs of older versions do not tell why.
  const isOlder = reasons.every((count) => count === undefined);
  return totals.without_price ?? (isOlder ? unpriced : 0);
}

const mostNamed = 3;

/** Names after a count, `: my-model, other and 2 more`; empty if none is named. */
export function namesText(names: readonly string[] = [], before = ': '): string {
  if (names.length === 0) return '';
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  return `${before}${names.slice(0, mostNamed).join(', ')}${more}`;
}

/** A cost: `$1.84`; `≥ $1.84` when some calls have no price, `unknown` when none has one. */
export function renderCost({ cost, unpriced = 0 }: Pick<ShownTotals, 'cost' | 'unpriced'>): string {
  if (cost === null) return 'unknown';
  return unpriced > 0 ? `≥ ${renderDollars(cost)}` : renderDollars(cost);
}

/** The same of one result: `not priced` where only prices are missing, else `cost unknown`. */
export function renderResultCost(totals: ShownTotals): string {
  if (totals.cost !== null) return renderCost(totals);
  const isPriceAlone = withoutPrice(totals) === (totals.unpriced ?? 0);
  return isPriceAlone ? 'not priced' : 'cost unknown';
}

/** A billionth of a dollar is rounding. */
const leastDollars = 1e-9;

/**
 * US dollars, on every surface: four decimals below a tenth, two digits below a tenth of a cent: `$1,204`, `$12.40`,
 * `$0.61`, `$0.0040`, `$0.00042`.
 */
export function renderDollars(dollars: number): string {
  if (dollars >= 999.995) return `$${renderCount(Math.round(dollars))}`;
  if (dollars < leastDollars || dollars >= 0.09995) return `$${dollars.toFixed(2)}`;
  if (dollars >= 0.000995) return `$${dollars.toFixed(4)}`;
  return `$${dollars.toFixed(1 - Math.floor(Math.log10(dollars)))}`;
}

/** The amounts of calls, by their names beside scores. */
export const amountNames = { cost: 'cost', tokens: 'model tokens', calls: 'calls' } as const;

/** The cases that a comparison leaves out: `cost is compared without 2 cases with calls of unknown cost`; empty for none. */
export function leftOutTexts(
  amount: keyof typeof amountNames,
  { unknown = 0, replayed = 0 }: { readonly unknown?: number; readonly replayed?: number } = {},
): string[] {
  const verb = amount === 'cost' ? 'is' : 'are';
  const text = (cases: number, what: string) =>
    cases === 0
      ? []
      : [`${amountNames[amount]} ${verb} compared without ${countOf(cases, 'case')} with ${what}`];
  return [
    ...text(
      unknown - replayed,
      amount === 'calls' ? 'programs whose calls are not seen' : `calls of unknown ${amount}`,
    ),
    ...text(replayed, 'replayed calls, which cost nothing'),
  ];
}

type UnseenCalls = Pick<ShownTotals, 'calls' | 'programs' | 'cut_off' | 'elsewhere' | 'unrecorded'>;

/** `3 calls`; `≥ 3 calls` where others may not have been seen, `1 program` where only programs may have made some. */
export function callsText(totals: UnseenCalls): string {
  const { calls, programs = 0 } = totals;
  if (calls === 0 && programs > 0 && unseenIn(totals) === programs)
    return countOf(programs, 'program');
  return `${unseenIn(totals) > 0 ? '≥ ' : ''}${countOf(calls, 'call')}`;
}

/** Calls of models: `180`; `≥ 180` where others may not have been seen. */
export function renderCalls(totals: UnseenCalls): string {
  return `${unseenIn(totals) > 0 ? '≥ ' : ''}${renderCount(totals.calls)}`;
}

/** All tokens of a run, `412k`; `≥ 412k` where some calls did not report theirs, `unknown` where none did, empty without any. */
export function renderAllTokens(
  totals: Pick<
    ShownTotals,
    | 'input'
    | 'output'
    | 'without_tokens'
    | 'unknown_calls'
    | 'programs'
    | 'cut_off'
    | 'elsewhere'
    | 'unrecorded'
  >,
): string {
  const { input, output } = totals;
  const isKnown = input !== undefined || output !== undefined;
  if (!isKnown) return lackTokens(totals) ? 'unknown' : '';
  return atLeast(totals, renderTokens((input ?? 0) + (output ?? 0)));
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
