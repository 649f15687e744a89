import { existsSync } from 'node:fs';
import { createRedactor } from '../text/redact.js';

/** Redacts secrets of the current environment in text for the terminal. */
export function withoutSecrets(text: string): string {
  return createRedactor(process.env, existsSync).redact(text);
}
