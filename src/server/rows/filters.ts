import { runUsageOf } from '../../model/calls/run-usage.js';
import { originKinds, type RowFacts, resultStatuses } from '../../model/result.js';
import { standingOf, verdicts } from '../../model/scores/verdict.js';
import {
  type Condition,
  conditionFields,
  conditionForm,
  parseCondition,
} from '../../model/selection/condition.js';
import {
  type GroupBy,
  groupForms,
  type KeysOf,
  parseGroupBy,
} from '../../model/summary/row-groups.js';
import { type RowFlag, rowFlags } from './light-row.js';
import { figureOf } from './row-order.js';
import type { CausesOf } from './row-reasons.js';
import type { Found } from './row-texts.js';

/** Values of one kind: rows must match one of the included values, if any, and none of the excluded ones. */
export interface Choice<T> {
  readonly include: readonly T[];
  readonly exclude: readonly T[];
}

/** Facts about a row that depend on other rows. */
export interface RowTraits {
  /** True for a trial of a flaky case. */
  isFlaky(row: RowFacts): boolean;
  /** True for a row graded by older code than others of its eval file. */
  isOlder(row: RowFacts): boolean;
}

/** What filters may ask about rows. */
export interface RowKnowledge extends RowTraits {
  keysBy(by: GroupBy): Promise<KeysOf>;
  causes(): Promise<CausesOf>;
  hasFlags(): Promise<(index: number, flag: RowFlag) => boolean>;
  /** The rows that meet a condition. */
  meeting(condition: Condition): Promise<ReadonlySet<number>>;
  /** What a search finds in each row. */
  search(text: string): Promise<Found>;
  /** The results that edits of the project can have changed. */
  readonly outdated: ReadonlySet<number> | undefined;
}

type Test<T> = (row: RowFacts, value: T, index: number) => boolean;

/** A kind of filter: a parameter, and the rows that match a value of it. */
interface FilterKind<T> {
  /** Completes `must be …`. */
  readonly expected: string;
  readonly description: string;
  /** Parses a value of the parameter; `undefined` for an invalid one. */
  read(text: string): T | undefined;
  /** The values that a row matches, where they can be listed. Facets count them. */
  valuesOf?(row: RowFacts, traits: RowTraits): readonly T[];
  /** In place of `valuesOf`: prepares the test of a row. */
  test?(known: RowKnowledge, values: readonly T[]): Test<T> | Promise<Test<T>>;
  /** It selects by what was planned, not by what came of results. */
  readonly isPlanned?: true;
  /** Rows must match all included values, not one of them. */
  readonly needsAll?: true;
}

function kind<T>(definition: FilterKind<T>): FilterKind<T> {
  return definition;
}

const truth = {
  expected: 'true or false',
  read: (text: string) => (text === 'true' ? true : text === 'false' ? false : undefined),
};

/** Rows by what the run spent on their calls. */
function usedKind(name: 'calls' | 'tokens') {
  return kind({
    expected: 'FROM..TO, FROM or TO may be omitted',
    description: `Rows by the ${name} that the run spent, in the format of \`latency\`: 0 for results that were carried over.`,
    read: (text) => readRange(text),
    test: () => {
      const used = figureOf(name);
      return (row, { from, to }) => used(row) >= from && used(row) < to;
    },
  });
}

/** The age of the code that graded a result: the newest version of its eval file, or an older one. */
const codeAges = ['newest', 'older'] as const;

/** The statuses and verdicts of results. */
export const standingsOfResults = [...resultStatuses, ...verdicts, 'pruned'] as const;

/** Maximum length of a search text, in characters. */
export const longestSearch = 1000;

/** All kinds of filters: the names are those of the parameters. */
export const filterKinds = {
  dataset: kind({
    expected: 'a dataset',
    description: 'Rows of a dataset.',
    read: (text) => text,
    valuesOf: ({ dataset }) => [dataset],
    isPlanned: true,
  }),
  label: kind({
    expected: 'a label',
    description: 'Rows with a label.',
    read: (text) => text,
    valuesOf: ({ labels }) => labels,
    isPlanned: true,
  }),
  status: kind({
    ...oneOf(standingsOfResults),
    description: `Rows with a status, or completed ones with a verdict: ${verdicts.join(', ')}; or \`pruned\` ones, which have no other.`,
    valuesOf: (row) => {
      const standing = standingOf(row);
      return row.pruned === true || standing === row.status ? [standing] : [row.status, standing];
    },
  }),
  score: kind({
    expected: 'KEY:passed, KEY:failed, KEY:>=NUMBER, KEY:<=NUMBER or KEY:FROM..TO',
    description:
      'Rows with a score that passed (`exact:passed`), failed (`exact:failed`), or has a value of at least or at most a number (`size:>=5`, `size:<=5`), or from one to another (`size:2..5`; 5 is exclusive).',
    read: readScoreCondition,
    test: () => meetsCondition,
  }),
  reason: kind({
    expected: 'a reason of `/rows/reasons`',
    description:
      'Rows that failed for a reason of `/rows/reasons`: `exact=expected # days, got #`; without a key for errors: `=TypeError: x is not a function`.',
    read: (text) => (text.includes('=') ? text : undefined),
    test: async (known) => {
      const causesOf = await known.causes();
      return (_, wanted, index) => causesOf(index).some(({ reason }) => reason === wanted);
    },
  }),
  has: kind({
    ...oneOf(rowFlags),
    description: `Rows that have something: ${rowFlags.join(', ')}.`,
    test: async (known) => {
      const hasFlag = await known.hasFlags();
      return (_, flag, index) => hasFlag(index, flag);
    },
  }),
  flaky: kind({
    ...truth,
    description:
      '`true`: trials of cases with trials that passed and trials that did not; `false`: all others.',
    valuesOf: (row, { isFlaky }) => [isFlaky(row)],
  }),
  code: kind({
    ...oneOf(codeAges),
    description:
      'Rows graded by the newest version of the code of their eval file, or by an `older` one.',
    valuesOf: (row, { isOlder }) =>
      row.code === undefined || row.pruned === true ? [] : [isOlder(row) ? 'older' : 'newest'],
  }),
  origin: kind({
    ...oneOf(originKinds),
    description:
      'Rows whose output comes from another run: `carried` over as they were, or `regraded`.',
    valuesOf: ({ origin }) => (origin === undefined ? [] : [origin.kind]),
  }),
  changed: kind({
    ...truth,
    description:
      '`true`: results that edits of the project can have changed, as `/changes` lists them; `false`: all others. Waits until that is known. While the run is in progress: what was out of date before; 409 if that is not known.',
    test:
      ({ outdated }) =>
      (_, wanted, index) =>
        (outdated?.has(index) === true) === wanted,
  }),
  latency: kind({
    expected: 'FROM..TO in seconds, FROM or TO may be omitted',
    description:
      'Rows with a latency in seconds that is not of recordings: `0.5..2` (2 is exclusive), `2..`, `..0.5`.',
    read: readRange,
    test:
      () =>
      ({ latency }, { from, to }) =>
        latency !== null && latency >= from && latency < to,
  }),
  cost: kind({
    expected: 'FROM..TO in US dollars (FROM or TO may be omitted), unknown or replayed',
    description:
      'Rows by what the run spent on their calls in US dollars, in the format of `latency`: 0 for results that were carried over; a cost of which only a part is known is in ranges without TO alone; `unknown`: with calls of the run whose price is not known; `replayed`: with calls answered from recordings, which cost nothing.',
    read: (text) => (text === 'unknown' || text === 'replayed' ? text : readRange(text)),
    test: () => hasCost,
  }),
  calls: usedKind('calls'),
  tokens: usedKind('tokens'),
  group: kind({
    expected: 'FIELD=VALUE, or FIELD alone',
    description: `Rows of a group of \`/rows/groups\`: \`file=refunds.eval.ts\`, \`metadata.tier=gold\`; the field alone (\`label\`) for rows without a value. Fields: ${groupForms}.`,
    read: readGroup,
    test: async (known, values) => {
      const keysOf = new Map<GroupBy, KeysOf>();
      for (const { by } of values) keysOf.set(by, await known.keysBy(by));
      return (row, { by, key }, index) => keysOf.get(by)?.(row, index).includes(key) === true;
    },
  }),
  where: kind({
    expected: conditionForm,
    needsAll: true,
    description: `Rows that meet all of these conditions, such as \`metadata.tier=pro\` or \`latency>=2\`. Fields: ${conditionFields}. Operators: = != >= <= > < ~ !~.`,
    read: (text) => {
      try {
        return parseCondition(text);
      } catch {
        return undefined;
      }
    },
    test: async (known, values) => {
      const meeting = new Map<Condition, ReadonlySet<number>>();
      for (const one of values) meeting.set(one, await known.meeting(one));
      return (_row, condition, index) => meeting.get(condition)?.has(index) === true;
    },
  }),
  search: kind({
    expected: `at most ${longestSearch} characters`,
    description:
      'Words that must all occur in a result, ignoring case: in its name, dataset, labels, input, output, reference, error, annotation, notes of scores, messages, calls of tools and their answers, metadata or logs. `"several words"` in quotes are one, `-word` must not occur.',
    read: (text) => (text.length <= longestSearch ? text : undefined),
    test: async (known, [text = '']) => {
      const found = await known.search(text);
      return (_row, _text, index) => (found[index] ?? 0) !== 0;
    },
  }),
};

export type FilterName = keyof typeof filterKinds;
export type KindValue<K extends FilterName> =
  (typeof filterKinds)[K] extends FilterKind<infer T> ? T : never;

// The keys of the table, which TypeScript knows as strings alone.
export const filterNames = Object.keys(filterKinds) as readonly FilterName[];

type Choices = { readonly [K in FilterName]?: Choice<KindValue<K>> | undefined };

/** True for a choice that includes or excludes something. */
export function isSet(choice: Choice<unknown> | undefined): boolean {
  return choice !== undefined && choice.include.length + choice.exclude.length > 0;
}

/** A filter for rows: the kinds that are set. */
export interface RowFilter extends Choices {
  /** The results that are out of date; `changed` needs them. */
  readonly outdated?: OutdatedRows | undefined;
}

/** The results that edits of the project can have changed, as of one moment. */
export interface OutdatedRows {
  /** Unique per moment. */
  readonly version: string;
  readonly indices: ReadonlySet<number>;
  /** Files that could not be imported, whose results are not checked, or the reason why nothing is known. */
  readonly problem?: string | undefined;
}

/** For each row, the bits of the kinds that exclude it; 0 for a match. */
export type Misses = Uint32Array;

/** The bit of each kind of filter. */
export const filterBits = Object.fromEntries(
  filterNames.map((name, place) => [name, 1 << place]),
) as Readonly<Record<FilterName, number>>;

/** Applies every kind of a filter to rows. */
export async function missesOf(
  rows: readonly RowFacts[],
  filter: RowFilter,
  known: RowKnowledge,
): Promise<Misses> {
  const misses = new Uint32Array(rows.length);
  for (const name of filterNames) {
    const choice = filter[name];
    if (choice === undefined) continue;
    // The choice of a name has values of its kind.
    const matches = await matcher(filterKinds[name] as FilterKind<unknown>, choice, known);
    for (const [index, row] of rows.entries()) {
      if (!matches(row, index)) misses[index] = (misses[index] ?? 0) | filterBits[name];
    }
  }
  return misses;
}

async function matcher<T>(
  { valuesOf, test, needsAll }: FilterKind<T>,
  { include, exclude }: Choice<T>,
  known: RowKnowledge,
): Promise<(row: RowFacts, index: number) => boolean> {
  const matches: Test<T> =
    (await test?.(known, [...include, ...exclude])) ??
    ((row, value) => valuesOf?.(row, known).includes(value) === true);
  return (row, index) => {
    const isMatch = (value: T) => matches(row, value, index);
    if (exclude.some(isMatch)) return false;
    return include.length === 0 || (needsAll ? include.every(isMatch) : include.some(isMatch));
  };
}

/** A condition for a score. */
type ScoreCondition =
  | { readonly key: string; readonly passed: boolean }
  | { readonly key: string; readonly atLeast: number }
  | { readonly key: string; readonly atMost: number }
  | ({ readonly key: string } & Range);

/** `from` is inclusive, `to` exclusive. */
type Range = Readonly<Record<'from' | 'to', number>>;

function oneOf<T extends string>(values: readonly T[]) {
  return {
    expected: `one of ${values.join(', ')}`,
    read: (text: string): T | undefined => values.find((value) => value === text),
  };
}

function meetsCondition({ scores }: RowFacts, condition: ScoreCondition): boolean {
  return scores.some((score) => {
    if (score.key !== condition.key) return false;
    if ('passed' in condition) return score.passed === condition.passed;
    if (score.value === undefined) return false;
    if ('from' in condition) return score.value >= condition.from && score.value < condition.to;
    return 'atLeast' in condition
      ? score.value >= condition.atLeast
      : score.value <= condition.atMost;
  });
}

function hasCost(row: RowFacts, range: Range | 'unknown' | 'replayed'): boolean {
  const usage = runUsageOf(row);
  if (usage === undefined) return false;
  if (range === 'unknown') return usage.cost === null || (usage.unpriced ?? 0) > 0;
  if (range === 'replayed') return (usage.replayed ?? 0) > 0;
  if (usage.cost === null || usage.cost < range.from) return false;
  // A lower bound says nothing of what the cost is below.
  return usage.cost < range.to && (range.to === Number.MAX_VALUE || !usage.unpriced);
}

/** The first `=` after a field separates it from the value: quoted names in a field may have one. */
function readGroup(
  text: string,
): { readonly by: GroupBy; readonly key: string | null } | undefined {
  for (let at = text.indexOf('='); at !== -1; at = text.indexOf('=', at + 1)) {
    const by = parseGroupBy(text.slice(0, at));
    if (by !== undefined) return { by, key: text.slice(at + 1) };
  }
  const by = parseGroupBy(text);
  return by && { by, key: null };
}

/** The rule follows the last colon, because keys may contain colons. */
function readScoreCondition(text: string): ScoreCondition | undefined {
  const [, key, rule = ''] = /^(.+):([^:]*)$/su.exec(text) ?? [];
  if (key === undefined) return undefined;
  if (rule === 'passed' || rule === 'failed') return { key, passed: rule === 'passed' };
  const range = readRange(rule, -Number.MAX_VALUE);
  if (range !== undefined) return { key, ...range };
  const value = readNumber(rule.slice(2));
  if (value === undefined) return undefined;
  if (rule.startsWith('>=')) return { key, atLeast: value };
  return rule.startsWith('<=') ? { key, atMost: value } : undefined;
}

/** `least`: where a range without FROM begins. */
function readRange(text: string, least = 0): Range | undefined {
  const [first, last, ...others] = text.split('..');
  if (first === undefined || last === undefined || others.length > 0) return undefined;
  const from = first === '' ? least : readNumber(first);
  const to = last === '' ? Number.MAX_VALUE : readNumber(last);
  return from === undefined || to === undefined || text === '..' ? undefined : { from, to };
}

function readNumber(text: string): number | undefined {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text))
    ? Number(text)
    : undefined;
}
