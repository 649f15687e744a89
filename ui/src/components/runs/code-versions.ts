import type { Run } from '../../api/client.js';
import { count } from '../figures/figures.js';

/** Results by the code version that graded them, newest first; absent unless there are several. */
type CodeVersions = Run['code_versions'];

/** `2 code versions · 40 newest, 2 older`; `undefined` unless there are several. */
export function codeVersionsText(versions: CodeVersions): string | undefined {
  if (versions === undefined) return undefined;
  const [newest = 0, ...others] = versions.map(({ results }) => results);
  const older = others.reduce((sum, results) => sum + results, 0);
  return `${versions.length} code versions · ${count(newest)} newest, ${count(older)} older`;
}
