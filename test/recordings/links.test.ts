import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { filesIn, readExchanges, writeExchange } from '../../src/recordings/recording-files.js';
import { readRecordings, removeRecording } from '../../src/recordings/stored-recordings.js';
import { temporaryFolder } from '../store/builders.js';

const path = 'a.eval.ts/refund/1/0123456789ab-1.json';
const stored = {
  path,
  source: { file: 'a.eval.ts', evaluation: 'refund' },
  exchange: {
    role: 'target',
    request: { method: 'POST', url: 'https://a.test/' },
    response: { status: 200, headers: {} },
  },
};

describe('links in the folder of recordings', () => {
  let own: string;
  let other: string;

  beforeEach(() => {
    [own, other] = [join(temporaryFolder(), 'own'), join(temporaryFolder(), 'other')];
    for (const folder of [own, other]) writeExchange(folder, stored);
  });

  const read = () => {
    const { recordings, damaged } = readRecordings(own);
    const problems = damaged.map(({ problem }) => problem);
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
      (one) => `${one} is no plain file and was left out`,
    );
    expect([...problems].sort()).to.deep.equal(named);
    const reading = (one: string) => () => readExchanges(own, one);
    expect(reading('c.json')).to.throw('c.json is a link, which is not followed');
    expect(reading(`b/${path}`)).to.throw('b is a link, which is not followed');
    expect(reading('d.json')).to.throw('d.json is no plain file');
    expect(reading('e.json')).to.throw('e.json is no plain file');
    expect(() => filesIn(own, 'b/a.eval.ts')).to.throw('b is a link, which is not followed');
    expect(() => filesIn(own, 'a')).to.throw('a is a link, which is not followed');
  });

  it('are neither written nor removed through', () => {
    symlinkSync(other, join(own, 'b'));
    const before = readFileSync(join(other, path), 'utf8');
    const through = `b/${path}`;
    const writing = (one: string) => () => writeExchange(own, { ...stored, path: one });
    expect(writing(through)).to.throw('not followed');
    expect(writing('b/new.json')).to.throw('not followed');
    expect(() => removeRecording(own, through)).to.throw('not followed');
    expect(readFileSync(join(other, path), 'utf8')).to.equal(before);
    expect(readdirSync(other)).to.deep.equal(['a.eval.ts']);
  });

  it('may lead to the folder itself, which the settings name', () => {
    const link = join(temporaryFolder(), 'link');
    symlinkSync(own, link);
    expect(readRecordings(link).recordings).to.have.length(1);
    removeRecording(link, path);
    expect(existsSync(join(own, path))).to.equal(false);
  });
});
