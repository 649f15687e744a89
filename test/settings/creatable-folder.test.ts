import { existsSync } from 'node:fs';
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

  it('refuses a file and what would lie below one', async () => {
    const file = join(folder({ taken: '' }), 'taken');
    for (const path of [file, join(file, 'below', 'it')]) {
      const error = await refusal(() => checkCreatableFolder(path));
      expect(error.code).to.equal('storage-unusable');
      expect(error.message).to.equal(
        `Results cannot be saved in ${path}: ${file} is not a folder.`,
      );
    }
  });
});
