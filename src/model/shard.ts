import { createHash } from 'node:crypto';
import { isCount, isNumber, isStrings } from './json.js';
import { type Fitting, isText, object, optional } from './shapes.js';

/** Asks for one of the parts of a run. */
export interface ShardRequest {
  /** From 1 to `of`. */
  readonly part: number;
  readonly of: number;
}

/** The most parts of a run. */
const maxShards = 10_000;

/** Parses `2/4`; `undefined` for anything else. */
export function parseShard(text: string): ShardRequest | undefined {
  const [, first, second] = /^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? [];
  const [part, of] = [Number(first), Number(second)];
  return part >= 1 && part <= of && of <= maxShards ? { part, of } : undefined;
}

const shardFields = object({
  /** From 1 to `of`. */
  part: isCount,
  of: isCount,
  /** The number of cases of the whole. */
  cases: isCount,
  /** Hash of the ids of all results of the whole, in order. */
  plan: isText,
  /** Hash of its run config and of settings that results depend on. */
  config: isText,
  /** Hash of the modules that its eval files load; absent if unknown. */
  code: optional(isText),
  /** Hash of the latencies by which cases were shared out; absent where part I has every N-th case. */
  balance: optional(isText),
});

/** The part of a whole run that a run is. Parts belong to one whole if all fields but `part` are equal. */
export interface Shard extends Fitting<typeof shardFields> {}

/** True for a shard as stored. */
export function isShard(value: unknown): value is Shard {
  if (!shardFields(value)) return false;
  const { part, of } = value;
  return part >= 1 && part <= of && of <= maxShards;
}

export const isMerged = object({
  /** Unix milliseconds. */
  at_ms: isNumber,
  /** Ids of the parts. */
  parts: isStrings,
});

/** Of what a run was merged, and when. */
export interface Merged extends Fitting<typeof isMerged> {}

/** `part 2 of 4`. */
export function shardText({ part, of }: ShardRequest): string {
  return `part ${part} of ${of}`;
}

/** Why nothing judges a part: `part 2 of 4: merge first: assay sessions merge PART…`. */
export function mergeFirst(shard: ShardRequest): string {
  return `${shardText(shard)}: merge first: assay sessions merge PART…`;
}

/** The `plan` of a whole: 16 hex digits of the SHA-256 over the ids of its results, a line each. */
export function hashPlan(ids: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const id of ids) hash.update(`${id}\n`);
  return hash.digest('hex').slice(0, 16);
}
