import { once } from 'node:events';
import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../store/builders.js';
import { collect, spawnChild } from './spawn-child.js';

const piece = 65_536;

describe('writeToStdout', () => {
  it('gives a slow reader everything, and waits for it', async () => {
    const child = spawnChild('write-many-pieces', ['200']);
    const said = collect(child.stderr);
    // It waits when two pictures of it are the same.
    const waiting = /made (\d+)\nmade \1\n/;
    while (child.stderr && !waiting.test(said())) await once(child.stderr, 'data');
    expect(Number(waiting.exec(said())?.[1])).to.be.below(20);
    let read = 0;
    child.stdout?.on('data', (bytes: Buffer) => {
      read += bytes.length;
    });
    const [code] = await once(child, 'close');
    expect({ code, read }).to.deep.equal({ code: 0, read: 200 * piece });
    expect(said()).to.include(`written ${200 * piece} after 200\n`);
  });

  it('ends quietly when the reader goes away', async () => {
    const child = spawnChild('write-many-pieces', ['1000']);
    const said = collect(child.stderr);
    child.stdout?.once('data', () => child.stdout?.destroy());
    const [code] = await once(child, 'close');
    expect(code).to.equal(0);
    expect(said()).to.match(/written \d+ after \d{1,2}\n/);
  });

  it('writes to a file', async () => {
    const path = join(temporaryFolder(), 'out');
    const fd = openSync(path, 'w');
    const child = spawnChild('write-many-pieces', ['5'], ['ignore', fd, 'pipe']);
    const [code] = await once(child, 'close');
    closeSync(fd);
    expect({ code, size: statSync(path).size }).to.deep.equal({ code: 0, size: 5 * piece });
  });

  // The device that is always full is there on Linux only.
  if (existsSync('/dev/full')) {
    it('says that there is no room left', async () => {
      const fd = openSync('/dev/full', 'w');
      const child = spawnChild('write-many-pieces', ['5'], ['ignore', fd, 'pipe']);
      const said = collect(child.stderr);
      await once(child, 'close');
      closeSync(fd);
      expect(said()).to.include('storage-full after 0\n');
    });
  }
});
