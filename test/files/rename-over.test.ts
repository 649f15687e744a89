import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { builtScript } from '../helpers/built-script.js';
import { temporaryFolders } from '../settings/temporary-folder.js';

const script = new URL('./children/rename.ts', import.meta.url);

/** On which system the first renames fail, how, and how many; what comes of it. */
const rows = [
  ['win32', 'EPERM', 3, 'renamed after 4 tries'],
  ['win32', 'EACCES', 3, 'renamed after 4 tries'],
  ['win32', 'EBUSY', 3, 'renamed after 4 tries'],
  ['win32', 'EBUSY', 1000, 'EBUSY after 10 tries'],
  ['win32', 'ENOSPC', 1, 'ENOSPC after 1 tries'],
  ['linux', 'EPERM', 1, 'EPERM after 1 tries'],
  ['darwin', 'EBUSY', 1, 'EBUSY after 1 tries'],
] as const;

describe('renameOver', () => {
  const folder = temporaryFolders();

  it('tries again on Windows while a file is in use, and takes every other answer', () => {
    const folders = rows.map(() => folder({ new: 'new', old: 'old' }));
    const given = rows.map(([...row], at) => [folders[at], ...row.slice(0, 3)]);
    const argv = [builtScript(script), JSON.stringify(given)];
    const said = JSON.parse(execFileSync(process.execPath, argv, { encoding: 'utf8' }));
    expect(said).to.deep.equal(rows.map(([, , , wanted]) => wanted));
    expect(folders.map((path) => readFileSync(join(path, 'old'), 'utf8'))).to.deep.equal(
      rows.map(([, , , wanted]) => (wanted.startsWith('renamed') ? 'new' : 'old')),
    );
  });
});
