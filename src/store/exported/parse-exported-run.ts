import { AssayError } from '../../errors.js';
import type { Trace } from '../../model/calls/model-call.js';
import { isCalls, isSpans } from '../../model/calls/stored-calls.js';
import { isUsage, noUsage, type Usage } from '../../model/calls/usage.js';
import { isCount, isNumber, isObject, isStrings, isTimeText } from '../../model/json.js';
import { isKeptValues, type KeptValues } from '../../model/kept-values.js';
import {
  type Correction,
  type CountedAttempt,
  isFinished,
  type Json,
  type JsonObject,
  type Result,
  type ResultStatus,
  type RowIdentity,
  resultStatuses,
  storedAs,
} from '../../model/result.js';
import { type ExecutionFacts, executionFacts, type RunIdentity } from '../../model/run.js';
import type { Score } from '../../model/scores/score.js';
import { isShard } from '../../model/shard.js';
import { isOrigin, isWaits } from '../log/record-parsing.js';
import { isScores, scoreProblem } from '../log/stored-score.js';

/** The parts of an exported run that an import needs. */
export interface ExportedRun extends RunIdentity, ExecutionFacts {
  /** True if the run ended normally, according to its `state`. */
  readonly ended: boolean;
  /** In an export of some results: the number of results of the run. */
  readonly part_of?: number;
  /** What attempts spent that have no result; absent for nothing. */
  readonly unlisted?: Usage;
  /** Some of its repeats are of a version that did not tell full passes apart. */
  readonly hasOldRepeats: boolean;
  /** Number of full passes; 1 if the document does not say. */
  readonly passes: number;
  readonly results: readonly ExportedResult[];
  /** The rank of a code hash among those of its eval file: the greatest is the newest, 0 is unknown. */
  readonly newness: ReadonlyMap<string, number>;
}

/** One result of an exported run. */
export interface ExportedResult extends RowIdentity, Result {
  readonly regradable: boolean;
  readonly inexact?: boolean;
  readonly inexact_because?: string;
  readonly kept?: KeptValues;
  readonly lost_scores?: readonly string[];
  readonly other_code?: boolean;
  readonly former_grade?: boolean;
  readonly pruned: boolean;
  readonly counted?: CountedAttempt;
  readonly trace?: Trace;
}

/** Parses an exported run JSON. Error: `bad-request` with the place as a JSON pointer. */
export function parseExportedRun(document: unknown): ExportedRun {
  const run = new Place('', document).object();
  return {
    run_id: run.field('run_id').text(),
    session_name: run.field('session_name').text(),
    run_name: run.field('run_name').text(),
    ...parseTimes(run),
    path: run.field('path').text(),
    config_name: run.field('config_name').text(),
    ...parseParts(run),
    ended: run.optional('state')?.text() === 'finished',
    ...parseFacts(run),
    ...parseUnlisted(run),
    hasOldRepeats: run.optional('repeats')?.object().optional('of_older_version')?.value === true,
    passes: parsePasses(run.value),
    results: run.field('results').list().map(parseResult),
    newness: parseNewness(run.value),
  };
}

function parseParts(run: Place): Pick<ExportedRun, 'shard' | 'part_of'> {
  const shard = run.optional('shard')?.as('a part of a run', isShard);
  const partOf = run.optional('part_of')?.count();
  return { ...(shard && { shard }), ...(partOf !== undefined && { part_of: partOf }) };
}

/** Other figures of the summary are computed from the results. */
function parsePasses(document: unknown): number {
  const { summary } = document as { readonly summary?: unknown };
  return isObject(summary) && isCount(summary.passes) ? Math.max(1, summary.passes) : 1;
}

function parseNewness(document: unknown): ReadonlyMap<string, number> {
  const { code_versions: versions } = document as { readonly code_versions?: unknown };
  const newness = new Map<string, number>();
  if (!Array.isArray(versions)) return newness;
  for (const [rank, version] of versions.entries()) {
    if (!isObject(version) || !isStrings(version.codes)) continue;
    for (const code of version.codes) newness.set(code, versions.length - rank);
  }
  return newness;
}

/** Other figures of the usage are computed from the results. Files of older versions have only its cost. */
function parseUnlisted(run: Place): Pick<ExportedRun, 'unlisted'> {
  const unlisted = run.optional('usage')?.object().optional('unlisted');
  const cost = run.optional('unlisted_cost')?.as('a number', isNumber);
  if (unlisted !== undefined) return { unlisted: unlisted.as('the usage of calls', isUsage) };
  return cost === undefined ? {} : { unlisted: { ...noUsage, cost } };
}

function parseFacts(run: Place): ExecutionFacts {
  return executionFacts({
    prices: run.optional('prices')?.text(),
    waited: run.optional('waited')?.as('seconds by model', isWaits),
    max_cost: run.optional('max_cost')?.as('a number', isNumber),
    commit: run.optional('commit')?.text(),
    dirty: run.optional('dirty')?.value === true ? true : undefined,
    outcome: run.optional('outcome')?.as('budget', (value) => value === 'budget'),
  });
}

/** `started_at` and `updated_at` default to `created_at`. */
function parseTimes(run: Place): Pick<RunIdentity, 'created_at' | 'started_at' | 'updated_at'> {
  const time = (place: Place) => place.as('a time in Unix seconds', isTime);
  const created_at = time(run.field('created_at'));
  const optional = (name: string) => {
    const place = run.optional(name);
    return place === undefined ? created_at : time(place);
  };
  return {
    created_at,
    started_at: optional('started_at'),
    updated_at: optional('updated_at'),
  };
}

function parseResult(entry: Place): ExportedResult {
  entry.object();
  const result = entry.field('result').object();
  const trial = entry.optional('trial')?.count();
  const counted = parseCounted(entry.optional('counted'));
  const trialOf = entry.optional('trial_of')?.text();
  const cluster = entry.optional('cluster')?.text();
  const origin = result.optional('origin')?.as('the run that it comes from', isOrigin);
  const reason = result.optional('reason')?.text();
  const usage = result.optional('usage')?.as('the usage of calls', isUsage);
  const replaced = result.optional('replaced_usage')?.as('the usage of calls', isUsage);
  const calls = result.optional('calls')?.as('a list of calls', isCalls);
  const spans = result.optional('spans')?.as('a list of spans', isSpans);
  return {
    id: entry.field('id').text(),
    function: entry.field('function').text(),
    dataset: entry.field('dataset').text(),
    labels: entry.field('labels').as('a list of texts', isStrings),
    ...(trial === undefined ? {} : { trial }),
    ...(trialOf === undefined ? {} : { trial_of: trialOf }),
    ...(cluster === undefined ? {} : { cluster }),
    regradable: entry.optional('regradable')?.value === true,
    ...parseStoredAs(entry),
    ...(entry.optional('former_grade')?.value === true && { former_grade: true }),
    pruned: entry.optional('pruned')?.value === true,
    ...(counted && { counted }),
    input: result.field('input').json(),
    reference: result.field('reference').json(),
    ...parseOutcome(result),
    metadata: result.field('metadata').map(),
    trace_data: result.field('trace_data').map(),
    annotation: result.field('annotation').text(),
    correction_history: result.field('correction_history').list().map(parseCorrection),
    ...parseStartedAt(result),
    ...(origin === undefined ? {} : { origin }),
    ...(reason === undefined ? {} : { reason }),
    ...(result.optional('verifies')?.value === true && { verifies: true }),
    ...(usage === undefined ? {} : { usage }),
    ...(replaced === undefined ? {} : { replaced_usage: replaced }),
    ...(calls === undefined ? {} : { trace: { calls, ...(spans && { spans }) } }),
  };
}

function parseStoredAs(entry: Place) {
  const because = entry.optional('inexact_because')?.text();
  const kept = entry.optional('kept')?.as('values as they were', isKeptValues);
  const lost = entry.optional('lost_scores')?.as('a list of texts', isStrings);
  return storedAs({
    ...(entry.optional('inexact')?.value === true && { inexact: true }),
    ...(because !== undefined && { inexact_because: because }),
    ...(kept && { kept }),
    ...(lost && { lost_scores: lost }),
    ...(entry.optional('other_code')?.value === true && { other_code: true }),
  });
}

function parseOutcome(result: Place): CountedAttempt {
  const code = result.optional('code')?.text();
  return {
    status: result.field('status').as(`one of ${resultStatuses.join(', ')}`, isStatus),
    output: result.field('output').json(),
    scores: parseScores(result.field('scores')),
    error: result.field('error').as('a text or null', isTextOrNull),
    latency: result.field('latency').as('a number or null', isNumberOrNull),
    ...(code === undefined ? {} : { code }),
  };
}

function parseStartedAt(place: Place): Pick<Result, 'started_at'> {
  const startedAt = place.optional('started_at')?.as('a time, RFC 3339', isTimeText);
  return startedAt === undefined ? {} : { started_at: startedAt };
}

function parseRegradable(place: Place): Pick<CountedAttempt, 'regradable'> {
  const regradable = place.optional('regradable');
  return regradable === undefined ? {} : { regradable: regradable.value === true };
}

function parseCountedHistory(place: Place): Pick<CountedAttempt, 'correction_history'> {
  const history = place.optional('correction_history')?.list().map(parseCorrection);
  return history === undefined ? {} : { correction_history: history };
}

function parseCounted(place: Place | undefined): CountedAttempt | undefined {
  if (place === undefined) return undefined;
  const counted = {
    ...parseOutcome(place.object()),
    ...parseStartedAt(place),
    ...parseRegradable(place),
    ...parseStoredAs(place),
    ...parseCountedHistory(place),
  };
  if (isFinished(counted)) return counted;
  throw place.error('must have finished, since it counts');
}

function parseScores(place: Place): Score[] {
  const keys = new Set<string>();
  return place.list().map((item) => {
    const score = parseScore(item);
    if (keys.has(score.key))
      throw item.error(`has the key of another score, ${describe(score.key)}`);
    keys.add(score.key);
    return score;
  });
}

function parseScore(place: Place): Score {
  const problem = scoreProblem(place.value);
  if (problem !== undefined) throw place.error(`is no score: it ${problem}`);
  return place.value as Score;
}

function parseCorrection(place: Place): Correction {
  place.object();
  const field = place.field('field').as('annotation or scores', isCorrectedField);
  const side = (name: 'before' | 'after'): Json =>
    field === 'scores'
      ? (place.field(name).as('a list of scores', isScores) as unknown as Json)
      : place.field(name).json();
  return {
    field,
    before: side('before'),
    after: side('after'),
    timestamp: place.field('timestamp').text(),
  };
}

/** A value and its place in the document. */
class Place {
  readonly pointer: string;
  readonly value: unknown;

  constructor(pointer: string, value: unknown) {
    this.pointer = pointer;
    this.value = value;
  }

  field(name: string): Place {
    return new Place(`${this.pointer}/${name}`, (this.value as { [name: string]: unknown })[name]);
  }

  optional(name: string): Place | undefined {
    const place = this.field(name);
    return place.value === undefined ? undefined : place;
  }

  as<T>(what: string, is: (value: unknown) => value is T): T {
    if (is(this.value)) return this.value;
    throw this.error(`must be ${what}, not ${describe(this.value)}`);
  }

  object(): this {
    this.as('an object', isObject);
    return this;
  }

  list(): Place[] {
    const items = this.as('a list', (value): value is unknown[] => Array.isArray(value));
    return items.map((item, position) => new Place(`${this.pointer}/${position}`, item));
  }

  text(): string {
    return this.as('a text', (value) => typeof value === 'string');
  }

  count(): number {
    return this.as('a whole number', isCount);
  }

  json(): Json {
    return this.as('there', (value): value is Json => value !== undefined);
  }

  map(): JsonObject {
    return this.as('an object', isObject) as JsonObject;
  }

  error(problem: string): AssayError {
    const where = this.pointer === '' ? 'The document' : this.pointer;
    return new AssayError('bad-request', `Not an exported run: ${where} ${problem}.`);
  }
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

function isNumberOrNull(value: unknown): value is number | null {
  return value === null || isNumber(value);
}

// The maximum of a `Date`, in seconds.
const latestTime = 8.64e12;

function isTime(value: unknown): value is number {
  return isNumber(value) && value >= 0 && value <= latestTime;
}

function isStatus(value: unknown): value is ResultStatus {
  return resultStatuses.includes(value as ResultStatus);
}

function isCorrectedField(value: unknown): value is 'annotation' | 'scores' {
  return value === 'annotation' || value === 'scores';
}

function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
