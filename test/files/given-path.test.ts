import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { resolveLinks } from '../../src/files/given-path.js';
import { temporaryFolders } from '../settings/temporary-folder.js';

describe('a path with `..` behind a link', () => {
  const folder = temporaryFolders();

  it('leads from where the link leads, however it is written', () => {
    const cwd = realpathSync(folder());
    mkdirSync(join(cwd, 'real', 'deep'), { recursive: true });
    symlinkSync(join(cwd, 'real', 'deep'), join(cwd, 'link'));
    for (const path of ['link/../x', 'link/./../x', './link//.././x', 'real/../link/././../x']) {
      const links: string[] = [];
      assert.equal(resolveLinks(`${cwd}/${path}`, links), join(cwd, 'real', 'x'), path);
      assert.ok(links.includes(join(cwd, 'link')), path);
    }
  });
});
