import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEachFile } from '../../helpers/clean-up.js';

/** Paths and texts of a project; a text that starts with `-> ` is a symbolic link to that path. */
export type Files = Readonly<Record<string, string | Buffer>>;

const made: string[] = [];

/** Writes a project into a fresh temporary folder and returns the folder. */
export function writeProject(files: Files): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'loader-')));
  made.push(folder);
  for (const [name, text] of Object.entries(files)) {
    const target = path.join(folder, name);
    mkdirSync(path.dirname(target), { recursive: true });
    if (typeof text === 'string' && text.startsWith('-> '))
      symlinkSync(path.resolve(folder, text.slice(3)), target);
    else writeFileSync(target, text);
  }
  return folder;
}

afterEachFile('projects', () => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});
