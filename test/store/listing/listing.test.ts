import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { openStore, type Store } from '../../../src/store/store.js';
import { finished, finishedRun, newRun, plan, startedRun, temporaryStore } from '../builders.js';
import { startChild } from '../children.js';

/** Long enough for everything on disk to count as settled. */
const settling = 2100;

function folderOf(store: Store, runId: string): string {
  return join(store.root, 'default', runId);
}

async function idsOf(store: Store): Promise<string[]> {
  return (await store.listRuns()).map((run) => run.run_id);
}

describe('a listing of runs that were listed before', () => {
  it('does not read again what nobody has touched, and notices everything else', async () => {
    const store = await temporaryStore();
    const third = await finishedRun(store, 2, { created_at_ms: 1000 });
    const second = await finishedRun(store, 2, { created_at_ms: 2000 });
    const first = await finishedRun(store, 2, { created_at_ms: 3000 });
    await setTimeout(settling);
    await store.listRuns();
    const before = await store.listRuns();
    const version = store.listingVersion;
    const document = join(folderOf(store, first), 'run.json');
    const text = readFileSync(document, 'utf8');
    writeFileSync(document, text.replace('"total_passed": 2', '"total_passed": 9'));
    expect(await store.listRuns()).to.equal(before);
    expect(store.listingVersion).to.equal(version);

    // Another time alone is no news.
    utimesSync(join(folderOf(store, second), 'results.jsonl'), 5, 5);
    expect(await store.listRuns()).to.equal(before);

    await store.renameRun(second, 'other');
    const renamed = await store.listRuns();
    expect(renamed.map((run) => run.run_name)).to.deep.equal([
      'brisk-otter',
      'other',
      'brisk-otter',
    ]);
    expect(store.listingVersion).to.equal(version + 1);
    expect(renamed[0]).to.equal(before[0]);

    const added = await finishedRun(store, 1, { created_at_ms: 4000 });
    expect(await idsOf(store)).to.deep.equal([added, first, second, third]);
    renameSync(folderOf(store, second), join(store.root, 'moved'));
    expect(await idsOf(store)).to.deep.equal([added, first, third]);
    truncateSync(join(folderOf(store, third), 'results.jsonl'), 300);
    const cut = (await store.listRuns()).find((run) => run.run_id === third);
    expect(cut?.total_passed).to.equal(0);
    rmSync(store.root, { recursive: true });
    expect(await store.listRuns()).to.deep.equal([]);
  });

  it('follows a run of another process to its end', async () => {
    const store = await temporaryStore();
    const first = await finishedRun(store, 2);
    await store.listRuns();
    const child = startChild('write-run', [store.root, first]);
    await child.says('ready');
    const [running] = await store.listRuns();
    expect(running).to.include({ state: 'running', total_passed: 0 });
    for (const act of ['finish', 'finish', 'rename', 'close']) {
      child.process.stdin?.write(`${act}\n`);
      await child.says(`did ${act}`);
    }
    child.process.stdin?.end();
    await child.ended;
    const [ended] = await store.listRuns();
    expect(ended).to.include({ state: 'finished', run_name: 'from-elsewhere', total_passed: 0 });
  });

  it('notices that the process of a run died, and does not ask again', async () => {
    const store = await temporaryStore();
    const first = await finishedRun(store, 2);
    const child = startChild('write-run', [store.root, first]);
    await child.says('ready');
    await setTimeout(settling);
    expect((await store.listRuns())[0]?.state).to.equal('running');
    child.process.kill('SIGKILL');
    await child.ended;
    expect((await store.listRuns())[0]?.state).to.equal('interrupted');
    const version = store.listingVersion;
    const runs = await store.listRuns();
    expect(existsSync(join(folderOf(store, first), 'lock'))).to.equal(true);
    // The lock of a dead process stays dead, also when it is not read.
    expect(await store.listRuns()).to.equal(runs);
    expect(store.listingVersion).to.equal(version);
    const again = startChild('write-run', [store.root, first]);
    await again.says('ready');
    expect((await store.listRuns())[0]?.state).to.equal('running');
  });
});

describe('listings', () => {
  it('that are asked for during another one see what was done before', async () => {
    const store = await temporaryStore();
    const ids = [];
    for (let count = 0; count < 20; count += 1) ids.push(await finishedRun(store, 1));
    const early = store.listRuns();
    for (const id of ids) {
      rmSync(folderOf(store, id), { recursive: true });
      const [left, right] = [store.listRuns(), store.listRuns()];
      expect((await left).map((run) => run.run_id)).to.not.include(id);
      expect((await right).map((run) => run.run_id)).to.not.include(id);
    }
    await early;
  });

  it('have an edit of this process at once, while its run is open', async () => {
    const store = await temporaryStore();
    const runId = await finishedRun(store, 1);
    const run = await store.openRun(runId);
    await run.edit(0, { scores: [{ key: 'exact', passed: false }] });
    expect((await store.listRuns())[0]?.total_passed).to.equal(0);
    await run.edit(0, { scores: [{ key: 'exact', passed: true }] });
    expect((await store.listRuns())[0]?.total_passed).to.equal(1);
    await run.close();
  });

  it('have another version when and only when they read differently', async () => {
    const store = await temporaryStore();
    expect(store.listingVersion).to.equal(0);
    const empty = await store.watchListing();
    expect(await store.watchListing()).to.equal(empty);
    const owner = await startedRun(store, 1);
    const added = await store.watchListing();
    expect(added).to.be.greaterThan(empty);
    await owner.run.edit(0, { annotation: 'seen' });
    expect(await store.watchListing()).to.equal(added);
    await owner.close('stopped');
    expect(await store.watchListing()).to.be.greaterThan(added);
    await owner.run.close();
  });
});

describe('a listing of a run that is being started', () => {
  it('says that it runs, from the moment it is there until it is closed', async () => {
    const store = await temporaryStore();
    const owner = await store.createRun(newRun());
    const seen: (string | undefined)[] = [];
    const look = async () => {
      const [listed] = await (await openStore(store.root)).listRuns();
      const opened = await (await openStore(store.root)).openRun(owner.run.runId);
      expect(opened.state).to.equal(listed?.state);
      await opened.close();
      seen.push(listed?.state);
    };
    await look();
    owner.plan([plan(0)]);
    await look();
    owner.schedule({ kind: 'run', rows: 'all' });
    await look();
    await owner.save();
    await look();
    owner.finish([finished(0)]);
    await owner.close('finished');
    await look();
    const again = await store.ownRun(owner.run.runId);
    await look();
    again.schedule({ kind: 'rerun', rows: 'all' });
    await look();
    await again.release();
    await look();
    expect(seen).to.deep.equal([
      ...Array.from({ length: 4 }, () => 'running'),
      ...['finished', 'finished', 'running', 'interrupted'],
    ]);
  });
});

describe('a store that is watched', () => {
  it('leaves a folder alone that is being copied, and sets it aside when it stays broken', async () => {
    const store = await temporaryStore();
    const good = await finishedRun(store, 2);
    const session = join(store.root, 'default');
    const [copied, broken] = [join(session, 'aaaaaaaaaaaa'), join(session, 'bbbbbbbbbbbb')];
    mkdirSync(copied);
    cpSync(join(session, good, 'run.json'), join(copied, 'run.json'));
    mkdirSync(broken);
    writeFileSync(join(broken, 'results.jsonl'), '{"type":"ru');
    writeFileSync(join(broken, 'run.json'), '{"form');
    await store.watchListing();
    expect(await idsOf(store)).to.deep.equal([good]);
    expect(readdirSync(session).sort()).to.deep.equal(
      ['aaaaaaaaaaaa', 'bbbbbbbbbbbb', good].sort(),
    );
    expect(readdirSync(broken).sort()).to.deep.equal(['results.jsonl', 'run.json']);

    cpSync(join(session, good, 'results.jsonl'), join(copied, 'results.jsonl'));
    expect((await idsOf(store)).sort()).to.deep.equal(['aaaaaaaaaaaa', good].sort());
    await setTimeout(settling);
    await store.watchListing();
    expect(existsSync(broken)).to.equal(false);
    expect(existsSync(`${broken}.broken`)).to.equal(true);
    expect(store.warnings.join()).to.contain(`${broken}.broken`);
  });
});
