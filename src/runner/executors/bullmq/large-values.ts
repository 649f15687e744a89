import type { RedisServer } from './redis-server.js';
import { keptSeconds, namesOf } from './run-manifest.js';

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
  const stored = `${namesOf(redis).values}:${run}:${crypto.randomUUID()}`;
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    await redis.client.rpush(stored, bytes.subarray(at, at + pieceBytes));
  }
  await redis.client.expire(stored, keptSeconds);
  return { stored };
}

/** The value that was packed; `undefined` if it is gone. */
export async function unpack<T>(redis: RedisServer, packed: object): Promise<T | undefined> {
  if (!isStored(packed)) return packed as T;
  const pieces: Buffer[] = [];
  for (let at = 0; ; at += 1) {
    const piece = await redis.client.lindexBuffer(packed.stored, at);
    if (piece === null) break;
    pieces.push(piece);
  }
  return pieces.length === 0 ? undefined : (JSON.parse(Buffer.concat(pieces).toString()) as T);
}

/** Deletes a packed value that is stored beside its job. */
export async function discard({ client }: RedisServer, packed: object): Promise<void> {
  if (isStored(packed)) await client.unlink(packed.stored);
}

function isStored(packed: object): packed is Stored {
  return 'stored' in packed && typeof packed.stored === 'string';
}
