import { existsSync } from 'node:fs';
import { createRedactor } from '../text/redact.js';

/** Text for the terminal without the secrets of the environment as it is now. */
export function withoutSecrets(text: string): string {
  return createRedactor(process.env, existsSync).redact(text);
}
