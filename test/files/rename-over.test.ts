import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { builtScript } from '../helpers/built-script.js';

const script = new URL('./children/rename.ts', import.meta.url);

describe('renameOver', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-rename-'));
    writeFileSync(join(folder, 'new'), 'new');
    writeFileSync(join(folder, 'old'), 'old');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Renames in a process on such a system, whose first renames fail. */
  function rename(platform: string, code: string, failures: number): string {
    const args = [builtScript(script), folder, platform, code, String(failures)];
    return execFileSync(process.execPath, args, { encoding: 'utf8' }).trim();
  }

  for (const code of ['EPERM', 'EACCES', 'EBUSY']) {
    it(`tries again on Windows after ${code}`, () => {
      expect(rename('win32', code, 3)).to.equal('renamed after 4 tries');
      expect(readFileSync(join(folder, 'old'), 'utf8')).to.equal('new');
    });
  }

  it('gives up on Windows when the file stays in use', () => {
    expect(rename('win32', 'EBUSY', 1000)).to.equal('EBUSY after 10 tries');
    expect(readFileSync(join(folder, 'old'), 'utf8')).to.equal('old');
  });

  it('takes the first answer elsewhere, and what is no use of the file everywhere', () => {
    expect(rename('linux', 'EPERM', 1)).to.equal('EPERM after 1 tries');
    expect(rename('darwin', 'EBUSY', 1)).to.equal('EBUSY after 1 tries');
    expect(rename('win32', 'ENOSPC', 1)).to.equal('ENOSPC after 1 tries');
  });
});
