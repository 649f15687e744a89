import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { writeFileAtomically } from '../../src/settings/write-file.js';
import { knownError } from './rejection.js';
import { temporaryFolders } from './temporary-folder.js';

describe('writeFileAtomically', () => {
  const folder = temporaryFolders();

  it('writes any text, byte for byte', () => {
    const cwd = folder({ a: 'old' });
    for (const text of ['', 'é日本\u{1F600}\r\n', 'x'.repeat(300_000)]) {
      writeFileAtomically(join(cwd, 'a'), text);
      expect(readFileSync(join(cwd, 'a'), 'utf8')).to.equal(text);
      expect(readdirSync(cwd)).to.deep.equal(['a']);
    }
  });

  it('leaves nothing behind when it cannot rename', async () => {
    const cwd = folder();
    mkdirSync(join(cwd, 'a'));
    const error = await knownError(() => writeFileAtomically(join(cwd, 'a'), 'text'));
    expect(error.code).to.equal('storage-unusable');
    expect(readdirSync(cwd)).to.deep.equal(['a']);
  });

  it('keeps the old file when only a part can be written', () => {
    const cwd = folder({ a: 'old' });
    const source = new URL('../../src/settings/write-file.ts', import.meta.url).href;
    const script = `const { writeFileAtomically } = await import(${JSON.stringify(source)});
      try { writeFileAtomically(process.argv[1], 'x'.repeat(50_000)); }
      catch (error) { console.log(error.code); }`;
    // A limit of 16 KiB a file stands in for a full disk: the first write is a short one.
    const child = spawnSync(
      'bash',
      [
        '-c',
        'ulimit -f 16; exec "$@"',
        'bash',
        process.execPath,
        '--import',
        loader(),
        '--input-type=module',
        '-e',
        script,
        join(cwd, 'a'),
      ],
      { encoding: 'utf8', env: { ...process.env, TSX_DISABLE_CACHE: '1' } },
    );
    expect(child.stdout).to.equal('storage-unusable\n');
    expect(readFileSync(join(cwd, 'a'), 'utf8')).to.equal('old');
    expect(readdirSync(cwd)).to.deep.equal(['a']);
  });
});

function loader(): string {
  return createRequire(import.meta.url).resolve('tsx');
}
