import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Recording } from '../../src/recordings/recording.js';
import { readRecording, writeRecording } from '../../src/recordings/recording-files.js';
import { keepExchanges, readRecordings } from '../../src/recordings/stored-recordings.js';
import { temporaryFolder } from '../store/builders.js';

const recording: Recording = {
  file: 'a.eval.ts',
  evaluation: 'refund',
  exchanges: [
    {
      name: '1 target 0',
      role: 'target',
      duration: 1,
      request: { method: 'POST', url: 'https://a.test/' },
      response: { status: 200, headers: {} },
    },
  ],
};

const path = 'a.eval.ts/refund/1.json';

describe('links in the folder of recordings', () => {
  let own: string;
  let other: string;

  beforeEach(() => {
    [own, other] = [join(temporaryFolder(), 'own'), join(temporaryFolder(), 'other')];
    for (const folder of [own, other]) writeRecording(folder, path, recording);
  });

  const read = () => {
    const { recordings, problems } = readRecordings(own);
    return { paths: recordings.map((one) => one.path), problems };
  };

  it('in circles, to other folders and files, and pipes are left out and named', () => {
    symlinkSync('.', join(own, 'a'));
    symlinkSync(other, join(own, 'b'));
    symlinkSync(join(other, path), join(own, 'c.json'));
    spawnSync('mkfifo', [join(own, 'd.json')]);
    mkdirSync(join(own, 'e.json'));
    const { paths, problems } = read();
    expect(paths).to.deep.equal([path]);
    const named = ['a', 'b', 'c.json', 'd.json'].map(
      (one) => `${one} is no plain file and was left out.`,
    );
    expect([...problems].sort()).to.deep.equal(named);
    expect(() => readRecording(own, 'c.json')).to.throw('c.json is a link, which is not followed');
    expect(() => readRecording(own, `b/${path}`)).to.throw('b is a link, which is not followed');
    expect(() => readRecording(own, 'd.json')).to.throw('d.json is no plain file');
    expect(() => readRecording(own, 'e.json')).to.throw('e.json is no plain file');
  });

  it('are neither written nor removed through', () => {
    symlinkSync(other, join(own, 'b'));
    const before = readFileSync(join(other, path), 'utf8');
    const through = `b/${path}`;
    expect(() => writeRecording(own, through, recording)).to.throw('not followed');
    expect(() => writeRecording(own, 'b/new.json', recording)).to.throw('not followed');
    const stored = { path: through, size: 1, recording };
    expect(() => keepExchanges(own, stored, () => false)).to.throw('not followed');
    expect(readFileSync(join(other, path), 'utf8')).to.equal(before);
    expect(readdirSync(other)).to.deep.equal(['a.eval.ts']);
  });

  it('may lead to the folder itself, which the settings name', () => {
    const link = join(temporaryFolder(), 'link');
    symlinkSync(own, link);
    const [one] = readRecordings(link).recordings;
    if (one === undefined) throw new Error('nothing was found');
    keepExchanges(link, one, () => false);
    expect(existsSync(join(own, path))).to.equal(false);
  });
});
