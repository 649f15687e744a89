import { hash } from 'node:crypto';
import type { Json } from './result.js';

/** Identifies an output without keeping it: 16 hex digits of the SHA-256 of its JSON. */
export function outputHash(output: Json): string {
  return hash('sha256', JSON.stringify(output)).slice(0, 16);
}
