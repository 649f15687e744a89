import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkCreatableFolder } from '../../src/settings/creatable-folder.js';
import { refusal } from '../store/builders.js';
import { temporaryFolders } from './temporary-folder.js';

describe('checkCreatableFolder', () => {
  const folder = temporaryFolders();

  it('accepts a folder that is there or could be made, and makes none', () => {
    const cwd = folder();
    checkCreatableFolder(cwd);
    checkCreatableFolder(join(cwd, 'a', 'b', 'c'));
    expect(existsSync(join(cwd, 'a'))).to.equal(false);
  });

  it('leaves nothing behind in what is there', () => {
    const cwd = folder();
    checkCreatableFolder(cwd);
    expect(readdirSync(cwd)).to.deep.equal([]);
  });

  it('refuses what permissions allow and the file system does not', async () => {
    if (!existsSync('/proc/self')) return;
    for (const path of ['/proc', '/proc/nope', '/proc/self/nope/below']) {
      const { code, message } = await refusal(() => checkCreatableFolder(path));
      expect(code).to.equal('bad-settings');
      expect(message).to.match(/\/proc(\/self)? cannot be written to\.$/);
    }
  });

  it('refuses a file and what would lie below one', async () => {
    const file = join(folder({ taken: '' }), 'taken');
    for (const path of [file, join(file, 'below', 'it')]) {
      const error = await refusal(() => checkCreatableFolder(path));
      expect(error.code).to.equal('bad-settings');
      expect(error.message).to.equal(
        `Results cannot be saved in ${path}: ${file} is not a folder.`,
      );
    }
  });
});
