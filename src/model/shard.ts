import { createHash } from 'node:crypto';
import { isCount, isNumber, isObject, isStrings } from './json.js';

/** Asks for one of the parts of a run. */
export interface ShardRequest {
  /** From 1 to `of`. */
  readonly part: number;
  readonly of: number;
}

/** The part of a whole run that a run is. Parts belong to one whole if all fields but `part` are equal. */
export interface Shard extends ShardRequest {
  /** The number of cases of the whole. */
  readonly cases: number;
  /** Hash of the ids of all results of the whole, in order. */
  readonly plan: string;
  /** Hash of its run config and of settings that results depend on. */
  readonly config: string;
  /** Hash of the modules that its eval files load; absent if unknown. */
  readonly code?: string;
  /** Hash of the latencies by which cases were shared out; absent where part I has every N-th case. */
  readonly balance?: string;
}

/** The most parts of a run. */
const maxShards = 10_000;

/** Parses `2/4`; `undefined` for anything else. */
export function parseShard(text: string): ShardRequest | undefined {
  const [, first, second] = /^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? [];
  const [part, of] = [Number(first), Number(second)];
  return part >= 1 && part <= of && of <= maxShards ? { part, of } : undefined;
}

/** True for a shard as stored. */
export function isShard(value: unknown): value is Shard {
  return (
    isObject(value) &&
    isCount(value.part) &&
    isCount(value.of) &&
    value.part >= 1 &&
    value.part <= value.of &&
    value.of <= maxShards &&
    isCount(value.cases) &&
    typeof value.plan === 'string' &&
    typeof value.config === 'string' &&
    (value.code === undefined || typeof value.code === 'string') &&
    (value.balance === undefined || typeof value.balance === 'string')
  );
}

/** Of what a run was merged, and when. */
export interface Merged {
  /** Unix milliseconds. */
  readonly at_ms: number;
  /** Ids of the parts. */
  readonly parts: readonly string[];
}

/** True for what a run was merged of, as stored. */
export function isMerged(value: unknown): value is Merged {
  return isObject(value) && isNumber(value.at_ms) && isStrings(value.parts);
}

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
