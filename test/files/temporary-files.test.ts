import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { isLeftover, sweepLeftovers, temporaryPath } from '../../src/files/temporary-files.js';
import { makeTemporaryFolder } from '../../src/files/temporary-folder.js';
import { temporaryFolders } from '../settings/temporary-folder.js';
import { deadPid, deadTemporary } from './dead-process.js';

describe('temporary files', () => {
  const folder = temporaryFolders();

  it('are removed when the process that made them was killed, and only then', () => {
    const cwd = folder({ 'assay.yaml': '' });
    const path = join(cwd, 'assay.yaml');
    const living = temporaryPath(path);
    const ofParent = living.replace(`-${process.pid}-`, `-${process.ppid}-`);
    const elsewhere = deadTemporary(path).replace(/\.assay-\w{4}-/, '.assay-0000-');
    const kept = [living, ofParent, elsewhere, join(cwd, '.assay-x.tmp'), join(cwd, 'a.tmp')];
    for (const one of [...kept, deadTemporary(path)]) writeFileSync(one, '');
    sweepLeftovers(cwd);
    expect(readdirSync(cwd).sort()).to.deep.equal([path, ...kept].map((p) => basename(p)).sort());
    sweepLeftovers(join(cwd, 'missing'));
    sweepLeftovers(path);
  });

  it('are removed as links, not what they lead to', () => {
    const cwd = folder({ kept: 'text' });
    symlinkSync(join(cwd, 'kept'), deadTemporary(join(cwd, 'a')));
    sweepLeftovers(cwd);
    expect(readdirSync(cwd)).to.deep.equal(['kept']);
  });

  it('have short names, whatever they replace', () => {
    const name = basename(temporaryPath(join('/x', 'a'.repeat(255))));
    expect(name).to.have.length.below(60);
    expect(isLeftover(name)).to.equal(false);
  });
});

describe('temporary folders', () => {
  it('of killed processes are removed when the next one is made', () => {
    const living = makeTemporaryFolder();
    const dead = living.replace(`-${process.pid}-`, `-${deadPid}-`);
    mkdirSync(join(dead, 'in'), { recursive: true });
    const next = makeTemporaryFolder();
    const there = readdirSync(tmpdir());
    expect(there).to.include.members([living, next].map((path) => basename(path)));
    expect(there).to.not.include(basename(dead));
  });
});
