import { hash } from 'node:crypto';
import type { Json } from './result.js';

/** Tells outputs apart without keeping them: 16 hex digits of the SHA-256 of the output as JSON. */
export function outputHash(output: Json): string {
  return hash('sha256', JSON.stringify(output)).slice(0, 16);
}
