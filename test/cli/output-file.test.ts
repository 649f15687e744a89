import { once } from 'node:events';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkOutputFile, writeToFile } from '../../src/cli/output-file.js';
import { refusal, temporaryFolder } from '../store/builders.js';
import { spawnChild } from './spawn-child.js';

async function* pieces(...texts: readonly (string | Error)[]): AsyncGenerator<string> {
  for (const text of texts) {
    if (text instanceof Error) throw text;
    yield text;
  }
}

/** Why an act on a file is refused. */
async function problem(act: () => Promise<unknown>): Promise<readonly unknown[]> {
  const { code, message } = await refusal(act);
  return [code, message.split(': ')[1]];
}

describe('writeToFile', () => {
  it('writes all pieces and answers with the bytes', async () => {
    const path = join(temporaryFolder(), 'out.md');
    expect(await writeToFile(path, pieces('a', 'é', '🦦'))).to.equal(7);
    expect(readFileSync(path, 'utf8')).to.equal('aé🦦');
  });

  it('replaces a file as a whole and keeps its mode', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'out.csv');
    writeFileSync(path, 'a longer text than the new one');
    chmodSync(path, 0o640);
    await writeToFile(path, pieces('new'));
    expect(readFileSync(path, 'utf8')).to.equal('new');
    expect(statSync(path).mode & 0o777).to.equal(0o640);
    expect(readdirSync(folder)).to.deep.equal(['out.csv']);
  });

  it('leaves the file as it was, and nothing beside it, when the pieces fail', async () => {
    const folder = temporaryFolder();
    const [old, fresh] = [join(folder, 'old.csv'), join(folder, 'new.csv')];
    writeFileSync(old, 'old');
    const reason = new Error('cannot be read');
    for (const path of [old, fresh]) {
      const failure = await writeToFile(path, pieces('x', reason)).catch((error) => error);
      expect(failure).to.equal(reason);
    }
    expect(readdirSync(folder)).to.deep.equal(['old.csv']);
    expect(readFileSync(old, 'utf8')).to.equal('old');
  });

  it('writes to where a link leads and leaves the link', async () => {
    const folder = temporaryFolder();
    const link = join(folder, 'latest.csv');
    mkdirSync(join(folder, 'kept'));
    writeFileSync(join(folder, 'kept', 'run.csv'), 'old');
    symlinkSync(join('kept', 'run.csv'), link);
    await writeToFile(link, pieces('new'));
    expect(lstatSync(link).isSymbolicLink()).to.equal(true);
    expect(readFileSync(join(folder, 'kept', 'run.csv'), 'utf8')).to.equal('new');
  });

  it('writes into what is no regular file', async () => {
    expect(await writeToFile('/dev/null', pieces('x'))).to.equal(1);
    expect(statSync('/dev/null').isCharacterDevice()).to.equal(true);
  });

  it('names what cannot be written', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    const problems = await Promise.all(
      [
        folder,
        join(folder, 'a', 'b'),
        join(folder, 'file', 'b'),
        join(folder, 'n'.repeat(300)),
      ].map((path) => problem(() => writeToFile(path, pieces('x')))),
    );
    expect(problems).to.deep.equal([
      ['storage-unusable', 'it is a folder.'],
      ['storage-unusable', 'its folder does not exist.'],
      ['storage-unusable', 'a part of its path is not a folder.'],
      ['storage-unusable', 'its name is too long.'],
    ]);
    expect(readdirSync(folder)).to.deep.equal(['file']);
  });

  it('takes the unfinished file away when a signal ends the process', async () => {
    const folder = temporaryFolder();
    const child = spawnChild('write-slowly', [join(folder, 'out.json')]);
    if (child.stdout) await once(child.stdout, 'data');
    expect(readdirSync(folder)).to.have.length(1);
    child.kill('SIGTERM');
    const [, signal] = await once(child, 'close');
    expect(signal).to.equal('SIGTERM');
    expect(readdirSync(folder)).to.deep.equal([]);
  });
});

describe('checkOutputFile', () => {
  it('lets pass what can be written, and writes nothing', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'old.json'), 'old');
    await checkOutputFile(join(folder, 'old.json'));
    await checkOutputFile(join(folder, 'new.json'));
    await checkOutputFile('/dev/null');
    expect(readdirSync(folder)).to.deep.equal(['old.json']);
    expect(readFileSync(join(folder, 'old.json'), 'utf8')).to.equal('old');
  });

  it('names what keeps a file from being written', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    const problems = await Promise.all(
      [folder, join(folder, 'a', 'b'), join(folder, 'file', 'b')].map((path) =>
        problem(() => checkOutputFile(path)),
      ),
    );
    expect(problems).to.deep.equal([
      ['storage-unusable', 'it is a folder.'],
      ['storage-unusable', 'its folder does not exist.'],
      ['storage-unusable', 'a part of its path is not a folder.'],
    ]);
  });
});
