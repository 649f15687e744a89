import { expect } from 'chai';
import type { Origin } from '../../src/model/result.js';
import type { RunJson } from '../../src/model/run.js';
import { isShard } from '../../src/model/shard.js';
import type { Project } from './project.js';

/** A run of a project that ends with 0 and is as the contract says. */
export async function soundRun(project: Project, ...args: readonly string[]): Promise<RunJson> {
  const { code, stderr, run } = await project.run(args);
  expect(code, stderr).to.equal(0);
  expect(runProblems(run)).to.deep.equal([]);
  return run;
}

type Check = (value: unknown) => boolean;
type Fields = Readonly<Record<string, Check | { readonly optional: Check }>>;

const isText: Check = (value) => typeof value === 'string';
const isCount: Check = (value) => Number.isInteger(value) && Number(value) >= 0;
const isNumber: Check = (value) => Number.isFinite(value);
const isFlag: Check = (value) => typeof value === 'boolean';
const isObject: Check = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTexts: Check = (value) => isListOf(value, isText);
const isAny: Check = (value) => value !== undefined;
const isRate: Check = (value) => isNumber(value) && Number(value) >= 0 && Number(value) <= 1;
const isTime: Check = (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value));
const isOneOf =
  (...texts: string[]): Check =>
  (value) =>
    texts.includes(value as string);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const optional = (check: Check) => ({ optional: check });

const runFields: Fields = {
  run_id: (value) => isText(value) && /^[0-9a-f]{12}$/.test(String(value)),
  session_name: isText,
  run_name: isText,
  created_at: isCount,
  started_at: isCount,
  updated_at: isCount,
  path: isText,
  config_name: isText,
  params: optional(isObject),
  group: optional(isText),
  group_runs: optional(isTexts),
  shard: optional(isShard),
  total_evaluations: isCount,
  total_pruned: optional((value) => isCount(value) && value !== 0),
  total_functions: isCount,
  total_passed: isCount,
  total_errors: isCount,
  total_with_scores: isCount,
  average_latency: isNumber,
  summary: isObject,
  code_versions: optional((value) => Array.isArray(value) && value.length > 1),
  repeats: optional(isObject),
  mixed: optional(isObject),
  state: isOneOf('not_started', 'running', 'paused', 'interrupted', 'finished'),
  skipped_inexact: optional(isCount),
  results: Array.isArray,
};

const trialFields: Fields = {
  trials: (value) => isCount(value) && Number(value) > 1,
  pass_at_k: isRate,
  pass_all_k: isRate,
  trial_statistics: isObject,
};

const entryFields: Fields = {
  id: isText,
  function: isText,
  dataset: isText,
  labels: isTexts,
  trial: optional((value) => isCount(value) && value !== 0),
  trial_of: optional(isText),
  regradable: optional((value) => value === true),
  inexact: optional((value) => value === true),
  inexact_because: optional(isText),
  kept: optional(isObject),
  former_grade: optional((value) => value === true),
  pruned: optional((value) => value === true),
  gone: optional((value) => value === true),
  counted: optional(isObject),
  result: isObject,
};

const resultFields: Fields = {
  input: isAny,
  output: isAny,
  reference: isAny,
  scores: Array.isArray,
  error: orNull(isText),
  latency: orNull(isNumber),
  metadata: isObject,
  authored_metadata: optional(isObject),
  trace_data: isObject,
  status: isOneOf('not_started', 'pending', 'running', 'completed', 'error', 'cancelled'),
  annotation: isText,
  correction_history: Array.isArray,
  code: optional((value) => /^[0-9a-f]{16}$/.test(String(value))),
  started_at: optional(isTime),
  origin: optional(
    (value) => isObject(value) && ['carried', 'regraded'].includes((value as Origin).kind),
  ),
  reason: optional(isText),
};

const scoreFields: Fields = {
  key: (value) => isText(value) && value !== '',
  passed: optional(isFlag),
  value: optional(isNumber),
  threshold: optional(isNumber),
  better: optional(isOneOf('lower')),
  notes: optional(isText),
  location: optional(isText),
  source: optional(isOneOf('human')),
};

const correctionFields: Fields = {
  field: isOneOf('annotation', 'scores'),
  before: isAny,
  after: isAny,
  timestamp: isTime,
};

/** What is wrong with a run JSON by the contract, in sentences; empty when nothing is. */
export function runProblems(run: RunJson): string[] {
  const hasTrials = run.results.some((entry) => entry.trial !== undefined);
  return [
    ...fieldProblems('run', run, hasTrials ? { ...runFields, ...trialFields } : runFields),
    ...countProblems(run),
    ...run.results.flatMap((entry) => entryProblems(entry.id, entry)),
  ];
}

function entryProblems(where: string, entry: RunJson['results'][number]): string[] {
  const { result, trial, trial_of } = entry;
  const trialId = trial === undefined ? entry.id : `${trial_of}~${trial}`;
  return [
    ...fieldProblems(where, entry, entryFields),
    ...fieldProblems(`${where} result`, result, resultFields),
    ...result.scores.flatMap((score) => [
      ...fieldProblems(`${where} score`, score, scoreFields),
      ...(score.passed === undefined && score.value === undefined
        ? [`${where} score ${score.key} has neither passed nor value`]
        : []),
    ]),
    ...result.correction_history.flatMap((one) =>
      fieldProblems(`${where} correction`, one, correctionFields),
    ),
    ...(entry.id.endsWith(`::${entry.function}${trial === undefined ? '' : `~${trial}`}`)
      ? []
      : [`${where} does not end with its function`]),
    ...(trialId === entry.id ? [] : [`${where} does not fit trial_of and trial`]),
  ];
}

/** Totals that follow from the results. */
function countProblems(run: RunJson): string[] {
  const all = run.results.length;
  const results = run.results.filter(({ pruned }) => pruned !== true).map(({ result }) => result);
  const latencies = results.flatMap((one) => (one.latency === null ? [] : [one.latency]));
  const sum = latencies.reduce((all, one) => all + one, 0);
  const counted = {
    total_evaluations: all,
    total_pruned: all === results.length ? undefined : all - results.length,
    total_errors: results.filter((one) => one.status === 'error').length,
    total_with_scores: results.filter((one) => one.scores.length > 0).length,
    total_passed: results.filter(
      ({ status, scores }) =>
        status === 'completed' &&
        scores.some((score) => score.passed === true) &&
        !scores.some((score) => score.passed === false),
    ).length,
  };
  const problems = Object.entries(counted).flatMap(([key, count]) =>
    run[key as keyof typeof counted] === count ? [] : [`${key} is not ${count}`],
  );
  const mean = latencies.length === 0 ? 0 : sum / latencies.length;
  if (Math.abs(run.average_latency - mean) > 1e-9) problems.push(`average_latency is not ${mean}`);
  return problems;
}

function fieldProblems(where: string, value: object, fields: Fields): string[] {
  const given = value as Readonly<Record<string, unknown>>;
  const problems = Object.keys(given)
    .filter((key) => !Object.hasOwn(fields, key))
    .map((key) => `${where} has a field ${key} too many`);
  for (const [key, field] of Object.entries(fields)) {
    const isOptional = typeof field === 'object';
    if (isOptional && given[key] === undefined) continue;
    const check = isOptional ? field.optional : field;
    if (!check(given[key])) problems.push(`${where}: ${key} is ${JSON.stringify(given[key])}`);
  }
  return problems;
}

function isListOf(value: unknown, check: Check): boolean {
  return Array.isArray(value) && value.every(check);
}
