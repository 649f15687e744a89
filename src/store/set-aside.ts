import { existsSync, renameSync } from 'node:fs';
import { documentPath } from './folders.js';

/** Renames what is in the way; answers with how it is called now. */
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

/** Moves a `run.json` that is none out of the way; answers with a sentence about it. */
export function moveDocumentAside(folder: string): string {
  const path = documentPath(folder);
  return `${path} was damaged and is now ${moveAside(path)}.`;
}
