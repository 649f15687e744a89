import { isObject, parseJson } from '../model/json.js';
import { keptSeconds, namesOf, type RedisServer } from './redis-server.js';

/** A value beside its job: the key of a list of texts, which together are its JSON. */
interface Stored {
  readonly stored: string;
}

/** The most characters of JSON within a job, because events repeat it. */
const maxInline = 100_000;
/** Bytes of one piece. */
const pieceBytes = 1_000_000;

/** A value to put into a job: itself, or where it is stored if it is large. */
export async function pack(redis: RedisServer, run: string, value: object): Promise<object> {
  const text = JSON.stringify(value);
  if (text.length <= maxInline) return value;
  const stored = `${valuesPrefix(redis, run)}${crypto.randomUUID()}`;
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    await redis.client.rpush(stored, bytes.subarray(at, at + pieceBytes));
  }
  await redis.client.expire(stored, keptSeconds);
  return { stored };
}

/** The value that was packed, unchecked: others may write to Redis. `undefined` if it is gone, `null` if it is no JSON. */
export async function unpack(redis: RedisServer, run: string, packed: unknown): Promise<unknown> {
  if (!isStored(redis, run, packed)) return packed;
  const pieces: Buffer[] = [];
  for (let at = 0; ; at += 1) {
    const piece = await redis.client.lindexBuffer(packed.stored, at);
    if (piece === null) break;
    pieces.push(piece);
  }
  if (pieces.length === 0) return undefined;
  return parseJson(Buffer.concat(pieces).toString()) ?? null;
}

/** Deletes a packed value that is stored beside its job. */
export async function discard(redis: RedisServer, run: string, packed: unknown): Promise<void> {
  if (isStored(redis, run, packed)) await redis.client.unlink(packed.stored);
}

/** True for the key of a value of this run; any other key is none of ours. */
function isStored(redis: RedisServer, run: string, packed: unknown): packed is Stored {
  if (!isObject(packed) || typeof packed.stored !== 'string') return false;
  return packed.stored.startsWith(valuesPrefix(redis, run));
}

function valuesPrefix(redis: RedisServer, run: string): string {
  return `${namesOf(redis).values}:${run}:`;
}
