import { sep } from 'node:path';

/** True for files of an installed package; a linked workspace package is not installed. */
export function isInstalled(file: string): boolean {
  return file.includes(`${sep}node_modules${sep}`);
}
