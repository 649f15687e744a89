import { sep } from 'node:path';

/** True for files that belong to an installed package; a linked workspace package does not count. */
export function isInstalled(file: string): boolean {
  return file.includes(`${sep}node_modules${sep}`);
}
