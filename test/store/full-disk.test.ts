import {
  appendFileSync,
  chmodSync,
  chownSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  finished,
  finishedRun,
  readAll,
  startedRun,
  temporaryFolder,
  temporaryStore,
} from './builders.js';
import { startChild } from './children.js';

describe('a disk that is full', () => {
  it('costs no acknowledged result, whichever byte is the last one that fits', async () => {
    const store = await temporaryStore();
    const made = await startedRun(store, 40);
    await made.close('stopped');
    await made.run.close();
    const log = join(made.run.folder, 'results.jsonl');
    // The limit is counted in blocks of 1,024 bytes; padding moves where in a line it falls.
    const limit = Math.ceil(statSync(log).size / 1024) + 6;
    appendFileSync(log, `${' '.repeat(137)}\n`);
    const child = startChild('fill', [store.root, made.run.runId], `ulimit -f ${limit}; exec`);
    const { out, err } = await child.ended;
    const said = JSON.parse(out || `"${err}"`) as {
      acknowledged: number;
      seen: number;
      code: string;
    };
    expect(said.code).to.equal('storage-full');
    expect(said.acknowledged).to.be.greaterThan(2);
    expect(statSync(log).size).to.equal(limit * 1024);
    const entries = await readAll(store, made.run.runId);
    const done = entries.filter((entry) => entry.result.status === 'completed');
    expect(done).to.have.lengthOf(said.seen);
    expect(said.seen).to.be.within(said.acknowledged, said.acknowledged + 1);
    expect(
      entries.slice(0, said.acknowledged).every((e) => e.result.output === 'x'.repeat(700)),
    ).to.equal(true);
    const owner = await store.ownRun(made.run.runId);
    owner.finish([finished(39)]);
    await owner.close('finished');
    await owner.run.close();
    const after = await readAll(store, made.run.runId);
    expect(after[39]?.result.output).to.equal('out 39');
    expect(after.slice(0, 39)).to.deep.equal(entries.slice(0, 39));
  });

  it('leaves the log and nothing beside it when a torn line cannot be moved aside', async () => {
    const store = await temporaryStore();
    const runId = await finishedRun(store, 1);
    const folder = join(store.root, 'default', runId);
    const log = join(folder, 'results.jsonl');
    appendFileSync(log, 'x'.repeat(100_000));
    const [before, names] = [readFileSync(log), readdirSync(folder)];
    const { err } = await startChild('fill', [store.root, runId], 'ulimit -f 10; exec').ended;
    expect(err).to.contain('There is no room left to write to');
    expect(readdirSync(folder)).to.deep.equal(names);
    expect(readFileSync(log).equals(before)).to.equal(true);
  });

  it('leaves nothing behind when a lock does not fit', async () => {
    const folder = temporaryFolder();
    const child = startChild('lock', [folder], 'ulimit -f 0; exec');
    expect((await child.ended).out.trim()).to.equal('storage-full');
    expect(readdirSync(folder)).to.deep.equal([]);
  });
});

describe('deleting a run on a disk that is full', () => {
  it('makes room, unless a process executes the run', async () => {
    const store = await temporaryStore();
    const remove = async (runId: string) =>
      (await startChild('delete', [store.root, runId], 'ulimit -f 0; exec').ended).out.trim();
    const owner = await startedRun(store, 1);
    expect(await remove(owner.run.runId)).to.equal('busy');
    await owner.close('stopped');
    await owner.run.close();
    expect(await remove(owner.run.runId)).to.equal('deleted');
    expect(await store.listRuns()).to.deep.equal([]);
  });
});

describe('writing run.json', () => {
  // Only root can make a file that belongs to somebody else.
  const itAsRoot = process.getuid?.() === 0 ? it : () => undefined;
  itAsRoot('keeps the old file byte for byte when it belongs to another user', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'run.json');
    writeFileSync(path, 'old');
    // In a sticky folder everybody may make files, but only the owner may replace one.
    chmodSync(folder, 0o1777);
    chownSync(path, 0, 0);
    const child = startChild(
      'replace',
      [folder, '10'],
      'exec setpriv --reuid=65534 --regid=65534 --clear-groups',
    );
    const { out, err } = await child.ended;
    expect(out.trim(), err).to.equal('storage-unusable');
    expect(readFileSync(path, 'utf8')).to.equal('old');
    expect(readdirSync(folder)).to.deep.equal(['run.json']);
  });
});
