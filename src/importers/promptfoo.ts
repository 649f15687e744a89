import { sumOfUsage } from '../model/calls/run-usage.js';
import { type Usage, unrecordedUsage } from '../model/calls/usage.js';
import { isCount, isJson, isJsonObject, isNumber, isObject, type Json } from '../model/json.js';
import type { Score } from '../model/scores/score.js';
import { type Fitting, isFlag, isText, listOf, object, optional } from '../model/shapes.js';
import {
  absent,
  checked,
  type ForeignFormat,
  type ForeignResult,
  type ForeignResults,
  type ForeignRun,
  otherFields,
  targetUsage,
  timeOf,
  withoutPlainValues,
  withUniqueKeys,
} from './foreign-run.js';

const tool = 'promptfoo';

const isComponent = object({
  pass: isFlag,
  score: absent(isNumber),
  reason: absent(isText),
  assertion: absent(
    object({ type: absent(isText), metric: absent(isText), value: optional(isJson) }),
  ),
});

const tokenFields = {
  total: absent(isNumber),
  prompt: absent(isNumber),
  completion: absent(isNumber),
  numRequests: absent(isCount),
};
/** `assertions`: what graders used. */
const isTokenUsage = object({ ...tokenFields, assertions: absent(object(tokenFields)) });

const isPromptfooResult = object({
  promptIdx: isCount,
  testIdx: isCount,
  success: isFlag,
  score: absent(isNumber),
  error: absent(isText),
  failureReason: absent(isCount),
  latencyMs: absent(isNumber),
  provider: object({ id: absent(isText), label: absent(isText) }),
  prompt: object({ raw: absent(isText), label: absent(isText) }),
  vars: absent(isJsonObject),
  testCase: absent(isJsonObject),
  gradingResult: absent(
    object({
      reason: absent(isText),
      componentResults: absent(listOf(isComponent)),
      tokensUsed: absent(object(tokenFields)),
    }),
  ),
  namedScores: absent(isJsonObject),
  response: absent(
    object({ output: optional(isJson), cost: absent(isNumber), cached: absent(isFlag) }),
  ),
  tokenUsage: absent(isTokenUsage),
  metadata: absent(isJsonObject),
});

interface PromptfooResult extends Fitting<typeof isPromptfooResult> {}

const isDocument = object({
  evalId: absent(isText),
  results: object({
    timestamp: absent(isText),
    prompts: absent(listOf(object({ raw: absent(isText), label: absent(isText) }))),
    results: listOf(isPromptfooResult),
  }),
  metadata: absent(object({ promptfooVersion: absent(isText) })),
  config: absent(object({ description: absent(isText) })),
});

/** Results of `promptfoo eval -o out.json`: a run for each prompt and provider; repeats are trials. */
export const promptfoo: ForeignFormat = {
  tool,
  recognises: (document) =>
    isObject(document) && isObject(document.results) && Array.isArray(document.results.results),
  read(document) {
    const { evalId, results, metadata, config } = checked(tool, document, isDocument);
    const rows = [...results.results].sort((a, b) => a.testIdx - b.testIdx);
    const name = evalId ?? config?.description ?? tool;
    const cases = casesOf(rows);
    const variants = byPrompt(rows);
    const startedAt = timeOf(results.timestamp);
    const runs = [...variants.entries()]
      .sort(([a], [b]) => a - b)
      .map(([at, members]): ForeignRun => {
        const params = paramsOf(members, results.prompts?.[at]);
        return {
          name: variants.size === 1 ? name : Object.values(params).join(', '),
          ...{ params, startedAt },
          results: members.map((row) => toResult(row, cases, config?.description ?? 'tests')),
        };
      });
    const version = metadata?.promptfooVersion;
    return {
      tool: version ? `${tool} ${version}` : tool,
      ...{ name, runs: withoutPlainValues(runs), isGroup: runs.length > 1 },
      unplaced: unplacedOf(document),
    } satisfies ForeignResults;
  },
};

function byPrompt(rows: readonly PromptfooResult[]): Map<number, PromptfooResult[]> {
  const groups = new Map<number, PromptfooResult[]>();
  for (const row of rows) {
    const group = groups.get(row.promptIdx);
    if (group === undefined) groups.set(row.promptIdx, [row]);
    else group.push(row);
  }
  return groups;
}

type Prompt = Fitting<typeof isPromptfooResult>['prompt'];

function paramsOf([row]: readonly PromptfooResult[], template: Prompt | undefined) {
  const label = row?.prompt.label || row?.prompt.raw || '';
  // The label of a prompt in a file is the path and the text.
  const text = template?.raw ? `: ${template.raw}` : '';
  const isPath = text !== '' && label.endsWith(text) && label.length > text.length;
  return {
    prompt: isPath ? label.slice(0, -text.length) : label,
    provider: row?.provider.label || row?.provider.id || '',
  };
}

/** The names of test cases, by their contents: `--repeat` gives the same contents again, with another number. */
function casesOf(rows: readonly PromptfooResult[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const used = new Set<string>();
  for (const row of rows) {
    const key = caseKey(row);
    if (names.has(key)) continue;
    const { description } = row.testCase ?? {};
    const base = typeof description === 'string' && description !== '' ? description : undefined;
    let name = base ?? String(names.size);
    for (let number = 2; used.has(name); number++) name = `${base ?? names.size} ${number}`;
    names.set(key, name);
    used.add(name);
  }
  return names;
}

function caseKey({ testCase, vars, testIdx }: PromptfooResult): string {
  return JSON.stringify(testCase ?? vars ?? testIdx);
}

function toResult(
  row: PromptfooResult,
  cases: ReadonlyMap<string, string>,
  dataset: string,
): ForeignResult {
  const { vars, testCase, response, prompt, metadata: found } = row;
  const isError = row.failureReason === 2 || (!row.success && !row.gradingResult && !!row.error);
  const { _promptfooFileMetadata: _, http: __, ...recorded } = found ?? {};
  const authored = isJsonObject(testCase?.metadata) ? testCase.metadata : {};
  const metadata = { ...recorded, ...authored, ...(prompt.raw && { prompt: prompt.raw }) };
  return {
    ...{ file: tool, evaluation: 'tests', case: cases.get(caseKey(row)), dataset, metadata },
    input: vars ?? null,
    output: response?.output ?? null,
    reference: referenceOf(testCase?.assert),
    scores: isError ? [] : scoresOf(row),
    error: isError ? (row.error ?? 'The file does not say what the error was.') : null,
    latency: typeof row.latencyMs === 'number' ? row.latencyMs / 1000 : null,
    usage: usageOf(row),
  };
}

/** The value of the only assertion, else all assertions. */
function referenceOf(assertions: Json | undefined): Json {
  if (!Array.isArray(assertions) || assertions.length === 0) return null;
  const [only] = assertions as readonly Json[];
  if (assertions.length === 1 && isObject(only)) return (only.value as Json | undefined) ?? null;
  return assertions as Json;
}

/**
 * The assertions as scores. Where they do not give the verdict of promptfoo (a test with a threshold, or without
 * assertions), they have values only and the score `verdict` has it.
 */
function scoresOf({ success, gradingResult, namedScores }: PromptfooResult): readonly Score[] {
  const components = gradingResult?.componentResults ?? [];
  const isPlain = components.length > 0 && components.every(({ pass }) => pass) === success;
  const metrics = new Set<string>();
  const scores = components.map(({ pass, score, reason, assertion }): Score => {
    const key = assertion?.metric || assertion?.type || 'assertion';
    metrics.add(key);
    return {
      key,
      ...(isPlain && { passed: pass }),
      value: score ?? Number(pass),
      ...(reason && reason !== 'Assertion passed' && { notes: reason }),
    };
  });
  const named = Object.entries(namedScores ?? {}).flatMap(([key, value]): Score[] =>
    isNumber(value) && !metrics.has(key) ? [{ key, value }] : [],
  );
  const reason = gradingResult?.reason;
  const verdict: Score = { key: 'verdict', passed: success, ...(reason && { notes: reason }) };
  return withUniqueKeys([...scores, ...named, ...(isPlain ? [] : [verdict])]);
}

function usageOf({ tokenUsage, response, gradingResult }: PromptfooResult): Usage | undefined {
  const grading = tokenUsage?.assertions ?? gradingResult?.tokensUsed;
  const target = targetUsageOf({ tokenUsage, response });
  const { calls, tokens, hasTokens } = countsIn(grading ?? {});
  if (calls === 0) return target;
  // The file has no cost of graders.
  const totals = {
    ...{ calls, ...tokens, cost: null, unpriced: calls },
    ...(!hasTokens && { without_tokens: calls }),
  };
  const judged = { ...totals, by_role: { 'evaluator:assertions': totals } };
  return sumOfUsage(target ?? unrecordedUsage, judged);
}

function targetUsageOf({ tokenUsage, response }: Pick<PromptfooResult, 'tokenUsage' | 'response'>) {
  if (response?.cached === true) {
    return targetUsage({ calls: 1, replayed: 1, replayed_unpriced: 1, cost: 0 });
  }
  const { calls: counted, tokens, hasTokens } = countsIn(tokenUsage ?? {});
  const calls = counted || (typeof response?.cost === 'number' ? 1 : 0);
  return targetUsage({
    ...{ calls, ...tokens, cost: response?.cost },
    ...(!hasTokens && { without_tokens: calls }),
  });
}

/** A file may have the sum of tokens only: then they count as input, so that no part is lost. */
function countsIn({ numRequests, prompt, completion, total }: Fitting<typeof isTokenUsage>) {
  const isSplit = !!prompt || !!completion;
  const hasTokens = isSplit || !!total;
  const tokens = isSplit ? { input: prompt ?? 0, output: completion ?? 0 } : { input: total ?? 0 };
  const calls = numRequests || Number(hasTokens);
  return { calls, hasTokens, tokens: hasTokens ? tokens : {} };
}

function unplacedOf(document: unknown): readonly string[] {
  if (!isObject(document)) return [];
  const known = ['evalId', 'results', 'metadata', 'vars', 'shareableUrl', 'runtimeOptions'];
  return Object.keys(otherFields(document, known));
}
