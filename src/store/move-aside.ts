import { existsSync, renameSync } from 'node:fs';
import { documentPath } from './folders.js';

/** Renames a file or folder; returns its new name. */
export function moveAside(path: string): string {
  for (let count = 1; ; count += 1) {
    const aside = count === 1 ? `${path}.broken` : `${path}.broken-${count}`;
    if (existsSync(aside)) continue;
    try {
      renameSync(path, aside);
      return aside;
    } catch {
      return `${path} still, because it could not be renamed`;
    }
  }
}

/** Renames an unreadable `run.json`; returns a sentence that says so. */
export function moveDocumentAside(folder: string): string {
  const path = documentPath(folder);
  return `${path} was damaged and is now ${moveAside(path)}.`;
}
