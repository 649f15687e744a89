import { createHash } from 'node:crypto';

/** 16 hex digits of the SHA-256 of a text. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
