import { rmSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { ChangeFeed } from '../../../src/server/workspace/feed.js';
import { wilsonInterval } from '../../../src/statistics/wilson-interval.js';
import { openStore } from '../../../src/store/store.js';
import { FakeClock } from '../../helpers/fake-clock.js';
import { finished, finishedRun, startedRun, temporaryStore } from '../../store/builders.js';
import { startChild } from '../../store/children.js';
import { Desk, Reader } from './feed-client.js';

const failed = { scores: [{ key: 'exact', passed: false }] };

/** Lets time pass until the feed has looked so often for what other processes change. */
async function lookedThrough(desk: Desk, clock: FakeClock, times = 1): Promise<void> {
  // It asks for the runs before and after it reads them again.
  const looks = desk.looks + 2 * times;
  await clock.until(() => desk.looks > looks);
}

describe('the change feed', () => {
  let desk: Desk;
  let feed: ChangeFeed;
  let clock: FakeClock;
  const bugs: unknown[] = [];
  beforeEach(async () => {
    bugs.length = 0;
    desk = new Desk(await temporaryStore());
    feed = new ChangeFeed(desk, (error) => bugs.push(error));
    clock = FakeClock.install();
  });
  afterEach(async () => {
    feed.close();
    await desk.close();
    expect(bugs).to.deep.equal([]);
  });

  /** Waits until whatever was taken so far has been told. */
  async function allTold(reader: Reader): Promise<void> {
    // What is told second is told after all that was taken before the first.
    for (const _ of ['first', 'second']) {
      const seen = reader.events.length;
      feed.take({ type: 'settings' });
      await reader.next('settings', () => true, seen);
    }
  }

  it('tells nothing of what was before, and nothing when nothing changes', async () => {
    const run = await desk.open(await finishedRun(desk.store, 2));
    await run.edit(0, failed);
    const reader = new Reader(feed, clock);
    feed.take({ type: 'run', run });
    await lookedThrough(desk, clock, 2);
    await allTold(reader);
    expect([...reader.of('results'), ...reader.of('run')]).to.deep.equal([]);
  });

  it('tells of an edit which result it is, and the summary when it changed', async () => {
    const run = await desk.open(await finishedRun(desk.store, 3));
    const reader = new Reader(feed, clock);
    await run.edit(1, { ...failed, annotation: 'wrong' });
    feed.take({ type: 'run', run });
    const results = await reader.next('results');
    expect(results.data).to.deep.equal({ run_id: run.runId, indices: [1] });
    expect(reader.of('run')[0]?.data).to.deep.equal({
      run_id: run.runId,
      session_name: 'default',
      run_name: 'brisk-otter',
      config_name: 'default',
      timestamp: run.head().created_at,
      started_at: run.head().started_at,
      updated_at: run.head().updated_at,
      state: 'finished',
      active: true,
      is_paused: false,
      selected_total: 3,
      unfinished: 0,
      total_evaluations: 3,
      total_functions: 1,
      total_passed: 2,
      total_errors: 0,
      total_with_scores: 3,
      average_latency: 0.25,
      summary: run.countedFigures(),
      score_chips: [{ key: 'exact', type: 'ratio', passed: 2, total: 3 }],
      pass_rate: { passed: 2, total: 3, ...wilsonInterval(2, 3) },
      unlisted_results: 0,
    });

    const seen = reader.events.length;
    await run.edit(1, { annotation: 'still wrong' });
    feed.take({ type: 'run', run });
    await reader.next('results', () => true, seen);
    expect(reader.of('run')).to.have.lengthOf(1);
  });

  it('tells of a change at once, at most ten times a second, and of the last one', async () => {
    await desk.store.listRuns();
    const reader = new Reader(feed, clock);
    feed.take({ type: 'settings' });
    clock.pass(0);
    expect(reader.events).to.have.lengthOf(1);
    for (const told of [2, 3]) {
      await setImmediate();
      for (const _ of ['one', 'another']) feed.take({ type: 'settings' });
      clock.pass(99);
      expect(reader.events).to.have.lengthOf(told - 1);
      clock.pass(1);
      expect(reader.events).to.have.lengthOf(told);
    }
  });

  it('tells many changes together, and the last of them', async () => {
    const owner = await startedRun(desk.store, 60);
    const { run } = owner;
    desk.runs.push(run);
    const reader = new Reader(feed, clock);
    for (let index = 0; index < 60; index += 1) {
      owner.markRunning([index]);
      feed.take({ type: 'run', run });
      clock.pass(10);
      await setImmediate();
      owner.finish([finished(index)]);
      feed.take({ type: 'run', run });
    }
    const last = await reader.next('run', (data) => data.total_passed === 60);
    expect(last.data).to.include({ state: 'running', unfinished: 0, selected_total: 60 });
    await allTold(reader);
    expect(reader.of('run').length).to.be.at.most(8);
    const told = reader.of('results').flatMap((event) => event.data.indices);
    expect([...new Set(told)].sort((a, b) => a - b)).to.deep.equal([...Array(60).keys()]);
    expect(told.at(-1)).to.equal(59);
    await owner.close('finished');
    feed.take({ type: 'run', run });
    await reader.next('run', (data) => data.state === 'finished');
  });

  it('tells of more than 200 changed results only how many they are', async () => {
    const owner = await startedRun(desk.store, 201);
    desk.runs.push(owner.run);
    const reader = new Reader(feed, clock);
    owner.finish(Array.from({ length: 201 }, (_, index) => finished(index)));
    feed.take({ type: 'run', run: owner.run });
    const { data } = await reader.next('run');
    expect(data).to.include({ total_passed: 201, unlisted_results: 201 });
    await owner.close('finished');
    feed.take({ type: 'run', run: owner.run });
    await reader.next('run', ({ state }) => state === 'finished');
    expect(reader.of('results')).to.deep.equal([]);
  });

  it('tells all of a run that is told for the first time', async () => {
    const reader = new Reader(feed, clock);
    const run = await desk.open(await finishedRun(desk.store, 2));
    feed.take({ type: 'run', run });
    expect((await reader.next('results')).data.indices).to.deep.equal([0, 1]);
    expect((await reader.next('run')).data).to.include({ active: true, unlisted_results: 0 });
  });

  it('tells of both runs when another one becomes active, and who is paused', async () => {
    const first = await desk.open(await finishedRun(desk.store, 1));
    const owner = await startedRun(desk.store, 1);
    desk.runs.push(owner.run);
    const reader = new Reader(feed, clock);
    desk.activeId = owner.run.runId;
    feed.take({ type: 'sessions' });
    const { runId } = owner.run;
    await reader.next('run', (data) => data.run_id === first.runId && !data.active);
    await reader.next('run', (data) => data.run_id === runId && data.active && !data.is_paused);
    expect(reader.of('results')).to.deep.equal([]);
    owner.paused = true;
    desk.paused.add(owner.run);
    feed.take({ type: 'run', run: owner.run });
    await reader.next('run', (data) => data.is_paused && data.state === 'paused');
    desk.activeId = first.runId;
    feed.take({ type: 'sessions' });
    await reader.next('run', (data) => data.run_id === runId && !data.active && !data.is_paused);
    await owner.close('stopped');
  });

  it('tells of sessions and settings, each once', async () => {
    const reader = new Reader(feed, clock);
    await finishedRun(desk.store, 1);
    feed.take({ type: 'sessions' });
    feed.take({ type: 'settings' });
    feed.take({ type: 'settings' });
    await reader.next('sessions');
    await reader.next('settings');
    await lookedThrough(desk, clock, 2);
    expect(reader.events).to.have.lengthOf(2);
  });

  it('tells every subscriber, and those no more that have left', async () => {
    const run = await desk.open(await finishedRun(desk.store, 1));
    const [stays, leaves] = [new Reader(feed, clock), new Reader(feed, clock)];
    await run.edit(0, { annotation: 'one' });
    feed.take({ type: 'run', run });
    await Promise.all([stays.next('results'), leaves.next('results')]);
    leaves.end();
    leaves.end();
    const seen = stays.events.length;
    await run.edit(0, { annotation: 'two' });
    feed.take({ type: 'run', run });
    await stays.next('results', () => true, seen);
    expect(leaves.of('results')).to.have.lengthOf(1);
    stays.end();
    await run.edit(0, { annotation: 'three' });
    const late = new Reader(feed, clock);
    await lookedThrough(desk, clock, 2);
    await allTold(late);
    // That the list of runs changed may become known only now.
    expect([...late.of('results'), ...late.of('run')]).to.deep.equal([]);
    feed.close();
    const never = new Reader(feed, clock);
    await run.edit(0, { annotation: 'four' });
    feed.take({ type: 'run', run });
    clock.pass(1000);
    await setImmediate();
    expect([...late.of('results'), ...late.of('run'), ...never.events]).to.deep.equal([]);
  });

  it('goes on when a run is closed or its folder is gone', async () => {
    const gone = await desk.open(await finishedRun(desk.store, 1));
    const run = await desk.open(await finishedRun(desk.store, 1));
    const reader = new Reader(feed, clock);
    await lookedThrough(desk, clock);
    await gone.edit(0, { annotation: 'x' });
    await gone.close();
    rmSync(gone.folder, { recursive: true });
    feed.take({ type: 'run', run: gone });
    await reader.next('sessions');
    await run.edit(0, { annotation: 'y' });
    feed.take({ type: 'run', run });
    await reader.next('results', (data) => data.run_id === run.runId);
  });
});

describe('the change feed, of other processes', () => {
  let desk: Desk;
  let feed: ChangeFeed;
  let clock: FakeClock;
  beforeEach(async () => {
    desk = new Desk(await temporaryStore());
    feed = new ChangeFeed(desk);
    clock = FakeClock.install();
  });
  afterEach(async () => {
    feed.close();
    await desk.close();
  });

  it('sees a run, its results, an edit, a new name and its end soon', async () => {
    const run = await desk.open(await finishedRun(desk.store, 3));
    const reader = new Reader(feed, clock);
    const child = startChild('write-run', [desk.store.root, run.runId]);
    const tell = async (line: string) => {
      child.process.stdin?.write(`${line}\n`);
      await child.says(`did ${line}`);
    };
    await child.says('ready');
    const { data } = await reader.next('run');
    expect(data).to.include({ state: 'running', unfinished: 3, total_passed: 0 });
    await tell('finish');
    await reader.next('results', ({ indices }) => indices.includes(0));
    await reader.next('run', ({ unfinished }) => unfinished === 2);
    const before = reader.events.length;
    await tell('edit');
    await reader.next('results', () => true, before);
    await tell('rename');
    await reader.next('run', ({ run_name }) => run_name === 'from-elsewhere');
    const seen = reader.events.length;
    await tell('close');
    await reader.next('run', ({ state }) => state !== 'running', seen);
    await reader.next('sessions', () => true, seen);
  });

  it('sees that the process of a run was killed', async () => {
    const run = await desk.open(await finishedRun(desk.store, 1));
    const child = startChild('write-run', [desk.store.root, run.runId]);
    await child.says('ready');
    await run.refresh();
    await desk.store.listRuns();
    const reader = new Reader(feed, clock);
    child.process.kill('SIGKILL');
    await child.ended;
    await reader.next('run', ({ state }) => state === 'interrupted');
    await reader.next('sessions');
  });

  it('sees what happened between the opening of a run and the next look', async () => {
    const runId = await finishedRun(desk.store, 2);
    const reader = new Reader(feed, clock);
    const run = await desk.open(runId);
    const elsewhere = await (await openStore(desk.store.root)).openRun(runId);
    await elsewhere.edit(1, { annotation: 'quickly' });
    await elsewhere.close();
    const { data } = await reader.next('results', ({ run_id }) => run_id === runId);
    expect(data.indices).to.deep.equal([1]);

    const other = await desk.open(await finishedRun(desk.store, 1));
    feed.follow(other);
    await run.refresh();
    const again = await (await openStore(desk.store.root)).openRun(other.runId);
    await again.edit(0, { annotation: 'twice' });
    await again.close();
    await other.refresh();
    await reader.next('results', ({ run_id }) => run_id === other.runId);
  });

  it('sees new and deleted runs', async () => {
    const reader = new Reader(feed, clock);
    await lookedThrough(desk, clock);
    const changed = async (change: () => unknown) => {
      const seen = reader.events.length;
      await change();
      await reader.next('sessions', () => true, seen);
    };
    let runId = '';
    await changed(async () => {
      runId = await finishedRun(desk.store, 1);
    });
    await changed(() => desk.store.deleteRun(runId));
    await changed(async () => {
      desk.store = await temporaryStore();
    });
  });
});
