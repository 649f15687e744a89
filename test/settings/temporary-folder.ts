import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives every test of the surrounding suite fresh folders and removes them afterwards. */
export function temporaryFolders(): (files?: Readonly<Record<string, string>>) => string {
  const made: string[] = [];
  afterEach(() => {
    for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  return (files = {}) => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-settings-'));
    made.push(folder);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return folder;
  };
}
