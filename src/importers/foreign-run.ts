import { AssayError } from '../errors.js';
import type { Usage, UsageTotals } from '../model/calls/usage.js';
import type { Json, JsonObject, ResultStatus } from '../model/result.js';
import type { Score } from '../model/scores/score.js';
import { maxScoreKeyLength } from '../model/scores/score-limits.js';
import { faultOf, faultText, nullOr, optional, type Shape } from '../model/shapes.js';

/** One result of another tool. */
export interface ForeignResult {
  /** The file of its evaluation, or the name of the tool if the tool does not record it. */
  readonly file: string;
  readonly evaluation: string;
  /** Its case; results of one run with the same case are its trials. Absent for an evaluation without cases. */
  readonly case?: string | undefined;
  readonly dataset: string;
  readonly labels?: readonly string[] | undefined;
  readonly input: Json;
  readonly output: Json;
  readonly reference: Json;
  readonly scores: readonly Score[];
  readonly error: string | null;
  /** Seconds; `null` if unknown. */
  readonly latency: number | null;
  /** Default: `error` with an error, else `completed`. */
  readonly status?: ResultStatus | undefined;
  /** Unix milliseconds; absent if unknown. */
  readonly startedAt?: number | undefined;
  readonly metadata: JsonObject;
  readonly trace_data?: JsonObject | undefined;
  /** Absent if the tool recorded none: it is unknown then. */
  readonly usage?: Usage | undefined;
  readonly annotation?: string | undefined;
}

/** A run of another tool. */
export interface ForeignRun {
  readonly name: string;
  readonly session?: string | undefined;
  readonly params?: JsonObject | undefined;
  /** Unix milliseconds; absent if unknown. */
  readonly startedAt?: number | undefined;
  readonly results: readonly ForeignResult[];
}

/** The contents of a results file of another tool. */
export interface ForeignResults {
  /** `promptfoo 0.123.1`. */
  readonly tool: string;
  /** Name of the evaluation there. */
  readonly name: string;
  readonly runs: readonly ForeignRun[];
  /** True if the runs are variants of one another. */
  readonly isGroup: boolean;
  /** Names of fields with values that have no place in a run; each once. */
  readonly unplaced: readonly string[];
  /** A sentence about what the file lacks. */
  readonly note?: string | undefined;
}

/** A reader of the JSON of another tool; a document of JSON Lines is a list of its lines. */
export interface ForeignFormat {
  readonly tool: string;
  readonly recognises: (document: unknown) => boolean;
  readonly read: (document: unknown) => ForeignResults;
}

/** A field that may be absent or null, which are the same in the files of other tools. */
export function absent<T>(shape: Shape<T>) {
  return optional(nullOr(shape));
}

/** Checks a value of a file. Error: `bad-request` that names the place as a JSON pointer. */
export function checked<T>(tool: string, value: unknown, shape: Shape<T>, at = ''): T {
  if (shape(value)) return value;
  const fault = faultOf(value, shape, at);
  const where = fault.at === '' ? 'The document' : fault.at;
  throw new AssayError('bad-request', `Not results of ${tool}: ${where} ${faultText(fault)}.`);
}

/** Unix milliseconds of a date and time; `undefined` for anything else. */
export function timeOf(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return ms >= 0 ? ms : undefined;
}

/** The fields of an object whose names are not given and that are neither null nor empty. */
export function otherFields(
  value: { readonly [name: string]: unknown },
  known: readonly string[],
): JsonObject {
  const others = Object.entries(value).filter(
    ([name, field]) => !known.includes(name) && !isEmpty(field),
  );
  return Object.fromEntries(others) as JsonObject;
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** The usage of a target; an unknown cost is not 0. `undefined` without calls. */
export function targetUsage(
  totals: Omit<UsageTotals, 'cost'> & { readonly cost: number | null | undefined },
): Usage | undefined {
  const { calls, cost = null } = totals;
  if (calls === 0) return undefined;
  const known: UsageTotals = {
    ...(Object.fromEntries(
      Object.entries(totals).filter(([, count]) => count !== undefined),
    ) as unknown as UsageTotals),
    cost,
    ...(cost === null && { unpriced: calls }),
  };
  return { ...known, by_role: { target: known } };
}

/** Scores with valid keys, each once: the second `tone` is `tone 2`. */
export function withUniqueKeys(scores: readonly Score[]): readonly Score[] {
  const used = new Set<string>();
  return scores.map((score) => {
    const base = score.key.slice(0, maxScoreKeyLength - 10) || 'score';
    let key = base;
    for (let number = 2; used.has(key); number++) key = `${base} ${number}`;
    used.add(key);
    return { ...score, key };
  });
}

/** Leaves out the values of verdicts whose score is only ever 0 or 1: they say nothing more. */
export function withoutPlainValues(runs: readonly ForeignRun[]): readonly ForeignRun[] {
  const graded = new Set<string>();
  for (const { results } of runs) {
    for (const { key, value } of results.flatMap(({ scores }) => scores)) {
      if (value !== undefined && value !== 0 && value !== 1) graded.add(key);
    }
  }
  const tidy = (score: Score): Score => {
    const { value: _, ...verdict } = score;
    return score.passed === undefined || graded.has(score.key) ? score : verdict;
  };
  return runs.map((run) => ({
    ...run,
    results: run.results.map((result) => ({ ...result, scores: result.scores.map(tidy) })),
  }));
}
