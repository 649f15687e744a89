import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** What `assay` starts. */
export const bin = join(checkout, 'bin/run.js');

/** Paths and texts of a project's files. */
export type Files = Readonly<Record<string, string>>;

/** Makes a temporary folder: an ESM package that can import `assay` and packages of the checkout. */
export function makeProjectFolder(files: Files): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-project-')));
  if (!('package.json' in files)) writeIn(folder, 'package.json', '{ "type": "module" }\n');
  for (const [name, text] of Object.entries(files)) writeIn(folder, name, text);
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(checkout, join(folder, 'node_modules/assay'));
  linkPackages(folder, ['autoevals', 'chai']);
  return folder;
}

/** Lets a project import more packages of the checkout. */
export function linkPackages(folder: string, names: readonly string[]): void {
  for (const name of names) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(checkout, 'node_modules', name), link);
  }
}

/** Writes a file of a project, and the folders above it. */
export function writeIn(folder: string, name: string, text: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
