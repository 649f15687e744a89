import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { replaceFile } from '../../src/files/replace-file.js';
import { builtScript } from '../helpers/built-script.js';
import { temporaryFolders } from '../settings/temporary-folder.js';

describe('replacing a file', () => {
  const folder = temporaryFolders();

  it('writes any text, byte for byte', async () => {
    const cwd = folder({ a: 'old' });
    for (const text of ['', 'é日本\u{1F600}\r\n', 'x'.repeat(300_000)]) {
      await replaceFile(join(cwd, 'a'), text);
      expect(readFileSync(join(cwd, 'a'), 'utf8')).to.equal(text);
      expect(readdirSync(cwd)).to.deep.equal(['a']);
    }
  });

  it('leaves nothing behind when it cannot rename', async () => {
    const cwd = folder();
    mkdirSync(join(cwd, 'a'));
    const error = await replaceFile(join(cwd, 'a'), 'text').catch((reason: unknown) => reason);
    expect(error).to.be.an('error').with.property('syscall', 'rename');
    expect(readdirSync(cwd)).to.deep.equal(['a']);
  });

  it('keeps the old file when only a part can be written', () => {
    const cwd = folder({ a: 'old' });
    const script = builtScript(new URL('./children/replace.ts', import.meta.url));
    // A limit of 16 KiB a file stands in for a full disk: the first write is a short one.
    const child = spawnSync(
      'bash',
      ['-c', 'ulimit -f 16; exec "$@"', 'bash', process.execPath, script, join(cwd, 'a')],
      { encoding: 'utf8' },
    );
    expect(child.stdout).to.equal('EFBIG\n');
    expect(readFileSync(join(cwd, 'a'), 'utf8')).to.equal('old');
    expect(readdirSync(cwd)).to.deep.equal(['a']);
  });

  it('gives the file the mode asked for, whatever the umask', async () => {
    const path = join(folder(), 'a');
    await replaceFile(path, 'text', { mode: 0o666 });
    expect(statSync(path).mode & 0o777).to.equal(0o666);
  });
});
