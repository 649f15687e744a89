import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { readTextFile } from './settled-text.js';

export interface LoadDotEnvOptions {
  /** Absolute working directory. */
  readonly cwd: string;
  /** The real environment; its variables take precedence, even empty ones. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads `.env` in the working directory and returns the variables that the environment lacks; the caller
 * applies them. Without the file there are none. Throws `bad-settings` when `.env` is a folder or unreadable.
 */
export function loadDotEnv({ cwd, env }: LoadDotEnvOptions): Record<string, string> {
  const text = readTextFile(resolve(cwd, '.env'), 'The environment file');
  if (text === undefined) return {};
  const added: Record<string, string> = {};
  for (const [name, value] of Object.entries(parseEnv(text))) {
    if (env[name] === undefined && value !== undefined) added[name] = value;
  }
  return added;
}
