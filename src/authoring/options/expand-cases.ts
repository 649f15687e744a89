import type { CallLimits } from '../../model/calls/call-rules.js';
import type { JsonObject } from '../../model/result.js';
import type { ScoreRules } from '../../model/scores/score-rule.js';
import { countOf, renderCount } from '../../text/count-text.js';
import { type CasePlace, collectCases, type LocatedCase } from '../case-files/read-as-cases.js';
import { type Definition, describeEvaluation } from '../definition.js';
import { describeValue } from '../describe-value.js';
import { isThenable } from '../thenable.js';
import { mergeCase } from './merge-options.js';
import { OptionProblem } from './option-problem.js';
import {
  isCaseSource,
  type ParsedOptions,
  parseOptions,
  type UserFunction,
} from './parse-options.js';

const mostNamed = 3;

/** Key of scores that name none, unless the evaluation says otherwise. */
export const standardScoreKey = 'correctness';

/** One case of an evaluation with all its effective options. */
export interface ExpandedCase {
  /** Absent if the evaluation has no cases. */
  readonly caseId?: string;
  /** Its row, if it is of a case file. */
  readonly place?: CasePlace;
  readonly input: unknown;
  readonly reference: unknown;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly labels: readonly string[];
  readonly dataset?: string;
  readonly trials?: number;
  /** Seconds. */
  readonly timeout?: number;
  readonly limits?: CallLimits;
  readonly requires?: readonly string[];
  /** Defaults of params; absent if the evaluation gives none. */
  readonly params?: JsonObject;
  readonly normalize?: UserFunction;
  readonly target?: UserFunction;
  readonly evaluators: readonly UserFunction[];
  readonly defaultScoreKey: string;
  readonly scores?: ScoreRules;
  /** `document=handbook`: the same for all cases that are one unit. */
  readonly cluster?: string;
  readonly skip: boolean;
  readonly only: boolean;
}

/**
 * Reads the cases of an evaluation, in order; one without an id when it has none.
 * `name`: the name of an evaluation without its own name.
 * @throws {Error} naming the evaluation and the case
 */
export async function expandCases(of: Definition, name = of.name): Promise<ExpandedCase[]> {
  const subject = describeEvaluation(of, name);
  const standard = standardCase(of);
  if (of.cases === undefined) return clustered([standard], of.cluster, subject);
  const positions = new Map<string, number>();
  const cases = (await collect(of.cases, subject)).map(({ value, place }, position) => {
    const parsed = parseCase(value, position, subject);
    const id = parsed.id ?? String(position);
    const earlier = positions.get(id);
    if (earlier !== undefined) {
      throw new TypeError(
        `${subject}: two cases have the id ${JSON.stringify(id)}, at positions ${earlier} and ${position}`,
      );
    }
    positions.set(id, position);
    return expand(standard, parsed, id, place);
  });
  return clustered(cases, of.cluster, subject);
}

function standardCase(of: Definition): ExpandedCase {
  return {
    input: of.input,
    reference: of.reference,
    metadata: of.metadata,
    labels: of.labels,
    evaluators: of.evaluators,
    defaultScoreKey: of.defaultScoreKey ?? standardScoreKey,
    skip: of.skip ?? false,
    only: of.only ?? false,
    ...(of.scores !== undefined && { scores: of.scores }),
    ...(of.dataset !== undefined && { dataset: of.dataset }),
    ...(of.trials !== undefined && { trials: of.trials }),
    ...(of.timeout !== undefined && { timeout: of.timeout }),
    ...(of.limits !== undefined && { limits: of.limits }),
    ...(of.requires !== undefined && { requires: of.requires }),
    ...(of.params !== undefined && { params: of.params }),
    ...(of.normalize !== undefined && { normalize: of.normalize }),
    ...(of.target !== undefined && { target: of.target }),
  };
}

function expand(
  standard: ExpandedCase,
  parsed: ParsedOptions,
  caseId: string,
  place: CasePlace | undefined,
): ExpandedCase {
  const { id: _, ...own } = parsed;
  // Adding a field after a spread makes cases many times slower to create and to read.
  const merged = mergeCase(standard, own);
  return place === undefined ? { caseId, ...merged } : { caseId, place, ...merged };
}

function parseCase(value: unknown, position: number, subject: string): ParsedOptions {
  try {
    return parseOptions(value, 'case');
  } catch (error) {
    if (!(error instanceof OptionProblem)) throw error;
    const hint = error.option === undefined ? '; write { input: … } around a bare input' : '';
    throw new TypeError(`${subject}, case ${label(value, position)}: ${error.message}${hint}`);
  }
}

function label(value: unknown, position: number): string {
  const id = (value as { id?: unknown } | null | undefined)?.id;
  if (typeof id !== 'string' && typeof id !== 'number') return `at position ${position}`;
  return `${describeValue(String(id))} (position ${position})`;
}

async function collect(cases: unknown, subject: string): Promise<LocatedCase[]> {
  const source: unknown = typeof cases === 'function' ? await call(cases, subject) : cases;
  if (!isCaseSource(source)) {
    const wanted = 'an array or an (async) iterable';
    throw new TypeError(
      `${subject}: the function "cases" must return ${wanted}, not ${describeValue(source)}`,
    );
  }
  refuseSecondReading(source, subject);
  try {
    // Awaiting each of many available cases takes longer than reading them.
    if (Array.isArray(source)) {
      const values = source.some(isThenable) ? await Promise.all(source) : source;
      return Array.from(values, (value) => ({ value }));
    }
    return await collectCases(source);
  } catch (error) {
    throw unreadable(error, subject);
  }
}

async function call(cases: unknown, subject: string): Promise<unknown> {
  try {
    return await (cases as () => unknown)(); // checked to be a function by the caller
  } catch (error) {
    throw unreadable(error, subject);
  }
}

function unreadable(cause: unknown, subject: string): Error {
  const reason = cause instanceof Error ? cause.message : describeValue(cause);
  return new Error(`${subject}: its cases could not be read: ${reason}`, { cause });
}

const read = new WeakSet<object>();

// A generator shared by two evaluations would be empty for the second one.
function refuseSecondReading(source: object, subject: string): void {
  if (Array.isArray(source)) return;
  if (read.has(source) && 'next' in source) {
    throw new TypeError(
      `${subject}: its cases have been read before and can be read only once; give a function that makes them`,
    );
  }
  read.add(source);
}

interface CaseOfCluster {
  readonly caseId?: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * Adds the cluster of each case: the value of this key of its metadata. Without a key the cases stay as they are.
 * @throws {TypeError} if a case lacks the value: taken for independent, such cases would make intervals too narrow; and
 * for values that are neither text, number nor boolean
 */
function clustered<Case extends CaseOfCluster>(
  cases: readonly Case[],
  key: string | undefined,
  subject: string,
): (Case & { readonly cluster?: string })[] {
  if (key === undefined) return [...cases];
  const lacking = cases.filter(({ metadata }) => isMissing(metadataOf(metadata, key)));
  if (lacking.length > 0) {
    const all = countOf(cases.length, 'case');
    const named = lacking.slice(0, mostNamed).flatMap(({ caseId }) => caseId ?? []);
    const more = lacking.length > named.length ? ', …' : '';
    const which = named.length === 0 ? '' : ` (${named.map(describeValue).join(', ')}${more})`;
    throw new TypeError(
      `${subject}: ${renderCount(lacking.length)} of ${all} lack metadata.${key}${which}, by which "cluster" groups them: give it to each case`,
    );
  }
  return cases.map((one) => {
    const value = metadataOf(one.metadata, key);
    if (!isName(value)) {
      const which = one.caseId === undefined ? '' : `, case ${describeValue(one.caseId)}`;
      throw new TypeError(
        `${subject}${which}: metadata.${key}, by which "cluster" groups cases, must be text, a number, true or false, not ${describeValue(value)}`,
      );
    }
    return { ...one, cluster: `${key}=${value}` };
  });
}

function metadataOf(metadata: CaseOfCluster['metadata'], key: string): unknown {
  return Object.hasOwn(metadata, key) ? metadata[key] : undefined;
}

/** An empty cell of a file is an empty text. */
function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function isName(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}
