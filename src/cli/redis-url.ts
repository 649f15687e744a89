import { AssayError } from '../errors.js';
import type { Settings } from '../settings/settings.js';

/** The address of the server of workers. Error: `usage` when the settings have none. */
export function redisUrl(settings: Settings): string {
  const url = settings.effective('redis').value;
  if (url !== null) return url;
  throw new AssayError('usage', 'The address of a Redis server is missing.', {
    hints: ['Give it with --redis redis://127.0.0.1:6379, or as redis in assay.yaml.'],
  });
}
