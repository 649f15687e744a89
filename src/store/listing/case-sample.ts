import { isCount } from '../../model/json.js';
import { caseIdOf, type RowFacts } from '../../model/result.js';
import { isText, object, type Shape } from '../../model/shapes.js';

/** The cases of a run, to be compared with those of another one. */
export interface CaseSample {
  /** Number of cases. */
  readonly count: number;
  /** The smallest hashes of their ids, ascending: all of them, or of more cases {@link sampled}; 6 bytes each, in Base64. */
  readonly hashes: string;
}

/** Runs of up to this number of cases are compared exactly; of larger ones, the share has a standard error below 2 %. */
const sampled = 512;
const hashBytes = 6;

/** The sample of the cases of these rows, without pruned ones and those that nobody asked for. */
export function caseSample(rows: readonly RowFacts[]): CaseSample {
  const ids = new Set<string>();
  for (const row of rows) {
    if (row.pruned !== true && row.status !== 'not_started') ids.add(caseIdOf(row));
  }
  const hashes = Float64Array.from(ids, hashOf).sort();
  const smallest = hashes.subarray(0, sampled);
  const bytes = Buffer.alloc(smallest.length * hashBytes);
  for (const [at, hash] of smallest.entries()) bytes.writeUIntBE(hash, at * hashBytes, hashBytes);
  return { count: ids.size, hashes: bytes.toString('base64') };
}

/** The share of the cases of both runs together that both have; 0 without cases. */
export function sharedCases(one: CaseSample, other: CaseSample): number {
  if (one.count === 0 || other.count === 0) return 0;
  if (one.count === other.count && one.hashes === other.hashes) return 1;
  const [mine, theirs] = [hashesOf(one), hashesOf(other)];
  const isComplete = one.count <= sampled && other.count <= sampled;
  // Of a union, the smallest hashes are a random part (Broder 1997).
  const most = isComplete ? Number.POSITIVE_INFINITY : sampled;
  let [left, right, shared, all] = [0, 0, 0, 0];
  while (all < most && (left < mine.length || right < theirs.length)) {
    const [a = Number.POSITIVE_INFINITY, b = Number.POSITIVE_INFINITY] = [
      mine[left],
      theirs[right],
    ];
    if (a <= b) left += 1;
    if (b <= a) right += 1;
    if (a === b) shared += 1;
    all += 1;
  }
  return shared / all;
}

export const isCaseSample: Shape<CaseSample> = object({ count: isCount, hashes: isText });

function hashesOf({ hashes }: CaseSample): number[] {
  const bytes = Buffer.from(hashes, 'base64');
  const count = Math.floor(bytes.length / hashBytes);
  return Array.from({ length: count }, (_, at) => bytes.readUIntBE(at * hashBytes, hashBytes));
}

/** 48 bits: two hashes of Fowler, Noll and Vo with other primes, mixed by the finaliser of MurmurHash3. */
function hashOf(text: string): number {
  let [high, low] = [0x811c9dc5, 0x9e3779b9];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x85ebca6b);
  }
  return (mixed(high) >>> 16) * 2 ** 32 + mixed(low);
}

function mixed(word: number): number {
  let mixing = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixing = Math.imul(mixing ^ (mixing >>> 13), 0xc2b2ae35);
  return (mixing ^ (mixing >>> 16)) >>> 0;
}
