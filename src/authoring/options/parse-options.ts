import { isDeepStrictEqual } from 'node:util';
import type { CallLimits } from '../../model/calls/call-rules.js';
import {
  isCallLimits,
  isParamName,
  isTimeout,
  isWholeUpTo,
  maxTimeout,
  maxTrials,
} from '../../model/option-ranges.js';
import type { JsonObject } from '../../model/result.js';
import { isScoreKey, maxScoreKeyLength } from '../../model/scores/score-limits.js';
import type { ScoreRules } from '../../model/scores/score-rule.js';
import { nearNames } from '../../text/near-names.js';
import { describeElements, describeValue } from '../describe-value.js';
import { isRecord } from '../is-record.js';
import { OptionProblem } from './option-problem.js';
import { parseScoreRules } from './parse-score-rules.js';

/** Longest name of an evaluation and longest id of a case. */
const maxNameLength = 200;

// Control characters, line and paragraph separators, halves of surrogate pairs.
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

// biome-ignore lint/suspicious/noExplicitAny: user functions of any types, called with contexts made here
export type UserFunction = (argument: any) => unknown;

/** Validated options, with aliases resolved and without `undefined` values. */
export interface ParsedOptions {
  readonly name?: string;
  readonly id?: string;
  readonly input?: unknown;
  readonly reference?: unknown;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly labels?: readonly string[];
  readonly dataset?: string;
  readonly trials?: number;
  readonly timeout?: number;
  readonly limits?: CallLimits;
  readonly requires?: readonly string[];
  readonly params?: JsonObject;
  readonly inputs?: readonly string[];
  readonly cluster?: string;
  readonly normalize?: UserFunction;
  readonly defaultScoreKey?: string;
  readonly scores?: ScoreRules;
  readonly rubrics?: Readonly<Record<string, string>>;
  readonly skip?: boolean;
  readonly only?: boolean;
  readonly cases?: unknown;
  readonly target?: UserFunction;
  readonly evaluators?: readonly UserFunction[];
}

export type OptionName = keyof ParsedOptions | 'expected';

const caseOptionNames = [
  'input',
  'reference',
  'expected',
  'metadata',
  'labels',
  'dataset',
  'trials',
  'timeout',
  'limits',
  'requires',
  'defaultScoreKey',
  'scores',
  'skip',
  'only',
  'evaluators',
] as const satisfies readonly OptionName[];

const sharedOptionNames = ['params', 'normalize', 'inputs', 'cluster', 'rubrics'] as const;

/** Names of options by their kind. */
export const optionNames = {
  evaluation: ['name', 'cases', 'target', ...caseOptionNames, ...sharedOptionNames],
  defaults: [...caseOptionNames, ...sharedOptionNames],
  case: ['id', ...caseOptionNames, 'target'],
} as const satisfies Record<string, readonly OptionName[]>;

// Names of the same options in other tools.
const foreignNames: Readonly<Record<string, OptionName>> = {
  data: 'cases',
  tests: 'cases',
  task: 'target',
  scorers: 'evaluators',
  tags: 'labels',
  output: 'reference',
  answer: 'reference',
  expectedOutput: 'expected',
  repeat: 'trials',
  trialCount: 'trials',
};

type Check = readonly [holds: (value: unknown) => boolean, demand: string];
const aName: Check = [isPrintableName, 'must be 1 to 200 printable characters'];
const aBoolean: Check = [(value) => typeof value === 'boolean', 'must be true or false'];
const aFunction: Check = [(value) => typeof value === 'function', 'must be a function'];

const checks = new Map<string, Check>(
  Object.entries({
    name: aName,
    id: [isCaseId, 'must be 1 to 200 printable characters, or a number'],
    dataset: aName,
    labels: [
      (value) => Array.isArray(value) && value.every(isPrintableName),
      'must be an array of names, each 1 to 200 printable characters',
    ],
    metadata: [isRecord, 'must be an object of facts by name'],
    trials: [
      (value) => isWholeUpTo(maxTrials, value),
      `must be a whole number from 1 to ${maxTrials}`,
    ],
    timeout: [isTimeout, `must be a number of seconds above 0 and up to ${maxTimeout}`],
    limits: [
      isCallLimits,
      'must be numbers above 0 for calls, tokens (whole) and cost, such as { calls: 50 }',
    ],
    requires: [
      (value) => Array.isArray(value) && value.every(isRequirement),
      'must be an array of words of letters, digits and _, such as gpu',
    ],
    params: [
      isParams,
      "must be JSON by name, such as { model: 'large' }; a name has no =, comma or quote",
    ],
    inputs: [
      (value) => Array.isArray(value) && value.every(isGlob),
      "must be an array of globs, such as ['tools/**']",
    ],
    cluster: [isPrintableName, 'must be a key of metadata, 1 to 200 printable characters'],
    rubrics: [areRubrics, "must be texts by score key, such as { tone: 'Polite, and short.' }"],
    defaultScoreKey: [isScoreKey, `must be 1 to ${maxScoreKeyLength} characters`],
    skip: aBoolean,
    only: aBoolean,
    target: aFunction,
    normalize: aFunction,
    evaluators: [
      (value) => Array.isArray(value) && value.every((one) => typeof one === 'function'),
      'must be an array of functions',
    ],
    cases: [isCases, 'must be an array, a function or an async iterable'],
  } satisfies Partial<Record<OptionName, Check>>),
);

/**
 * Checks options of one kind and resolves the alias `expected`.
 * @throws {OptionProblem} for an unknown name or an invalid value
 */
export function parseOptions(value: unknown, kind: keyof typeof optionNames): ParsedOptions {
  if (!isRecord(value)) throw new OptionProblem(`must be an object, not ${describeValue(value)}`);
  const given: Record<string, unknown> = { ...value };
  let isPlain = true;
  for (const name of Object.keys(given)) {
    const one = given[name];
    checkName(name, kind);
    if (name === 'scores' && one !== undefined) given.scores = parseScoreRules(one);
    else if (one !== undefined) checkValue(name, one);
    isPlain &&=
      one !== undefined && name !== 'expected' && (name !== 'id' || typeof one === 'string');
  }
  // There are many cases, and most of them are plain.
  return isPlain ? given : tidied(given); // every key and value has just been checked
}

/** Removes `undefined` values, converts ids to strings, and renames `expected`. */
function tidied(given: Readonly<Record<string, unknown>>): ParsedOptions {
  const parsed: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(given)) {
    if (one !== undefined) parsed[name] = name === 'id' ? String(one) : one;
  }
  if ('expected' in parsed) resolveExpected(parsed);
  return parsed;
}

/** True for iterables and async iterables, except strings. */
export function isCaseSource(value: unknown): value is Iterable<unknown> | AsyncIterable<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    (Symbol.iterator in value || Symbol.asyncIterator in value)
  );
}

function checkName(name: string, kind: keyof typeof optionNames): void {
  const known: readonly string[] = optionNames[kind];
  if (known.includes(name)) return;
  if (kind === 'defaults' && (optionNames.evaluation as readonly string[]).includes(name)) {
    throw new OptionProblem(`"${name}" cannot be shared, give it to each evaluation`, name);
  }
  const foreign = Object.hasOwn(foreignNames, name) ? foreignNames[name] : undefined;
  const meant =
    foreign !== undefined && known.includes(foreign) ? foreign : nearNames(name, known)[0];
  const hint = meant === undefined ? `known are ${known.join(', ')}` : `did you mean "${meant}"?`;
  throw new OptionProblem(`unknown option ${describeValue(name)}: ${hint}`, name);
}

function checkValue(name: string, value: unknown): void {
  const check = checks.get(name);
  if (check === undefined || check[0](value)) return;
  throw new OptionProblem(`"${name}" ${check[1]}, not ${describeElements(value)}`, name);
}

function resolveExpected(parsed: Record<string, unknown>): void {
  if ('reference' in parsed && !isDeepStrictEqual(parsed.reference, parsed.expected)) {
    throw new OptionProblem(
      '"reference" and "expected" are two names for one thing and were given different values: ' +
        `${describeValue(parsed.reference)} and ${describeValue(parsed.expected)}`,
      'expected',
    );
  }
  parsed.reference = parsed.expected;
  delete parsed.expected;
}

function isCases(value: unknown): boolean {
  return typeof value === 'function' || isCaseSource(value);
}

function isCaseId(value: unknown): boolean {
  return isPrintableName(value) || Number.isFinite(value);
}

function isParams(value: unknown): boolean {
  return isRecord(value) && isPlainJson(value) && Object.keys(value).every(isParamName);
}

/** True for what JSON keeps as it is. */
function isPlainJson(value: unknown): boolean {
  return isDeepStrictEqual(value, jsonOf(value));
}

function jsonOf(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? '');
  } catch {
    // A cycle, a BigInt, nothing at all.
    return undefined;
  }
}

function areRubrics(value: unknown): boolean {
  if (!isRecord(value) || !Object.keys(value).every(isScoreKey)) return false;
  return Object.values(value).every((text) => typeof text === 'string' && text.trim() !== '');
}

function isGlob(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function isRequirement(value: unknown): boolean {
  return typeof value === 'string' && /^\w{1,50}$/.test(value);
}

/** True for 1 to 200 printable characters that are not all blank. */
function isPrintableName(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.trim() !== '' &&
    value.length <= maxNameLength &&
    !unprintable.test(value)
  );
}
