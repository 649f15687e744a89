import { rmSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { OpenRuns } from '../../../src/server/workspace/open-runs.js';
import type { StoredRun } from '../../../src/store/stored-run.js';
import { FakeClock } from '../../helpers/fake-clock.js';
import { finishedRun, refusal, startedRun, temporaryStore } from '../../store/builders.js';

function ids(open: OpenRuns): string[] {
  return [...open].map((run) => run.runId);
}

/** Waits until nothing of a run can be read any more. */
async function untilClosed(run: StoredRun): Promise<void> {
  for (;;) {
    try {
      run.entry(0);
    } catch (error) {
      expect(error)
        .to.be.an('error')
        .with.property('message')
        .that.matches(/is closed/);
      return;
    }
    await setImmediate();
  }
}

describe('OpenRuns', () => {
  it('opens a run once, also for many who ask at the same time', async () => {
    const store = await temporaryStore();
    const runId = await finishedRun(store, 2);
    const open = new OpenRuns(store);
    const runs = await Promise.all(Array.from({ length: 10 }, () => open.get(runId)));
    expect(new Set<StoredRun>(runs).size).to.equal(1);
    expect(await open.get(runId)).to.equal(runs[0]);
    expect(ids(open)).to.deep.equal([runId]);
    await open.close();
    expect(ids(open)).to.deep.equal([]);
  });

  it('takes in what others have appended, each time it is asked', async () => {
    const store = await temporaryStore();
    const runId = await finishedRun(store, 1);
    const open = new OpenRuns(store);
    const run = await open.get(runId);
    const other = await store.openRun(runId);
    await other.edit(0, { annotation: 'theirs' });
    await other.close();
    expect((await open.get(runId)).entry(0).result.annotation).to.equal('theirs');
    expect(await open.get(runId)).to.equal(run);
    await open.close();
  });

  it('does not know a run that is not there, nor one that has been deleted since', async () => {
    const store = await temporaryStore();
    const runId = await finishedRun(store, 1);
    const open = new OpenRuns(store);
    expect((await refusal(() => open.get('000000000000'))).code).to.equal('no-such-run');
    const { folder } = await open.get(runId);
    rmSync(folder, { recursive: true });
    expect((await refusal(() => open.get(runId))).code).to.equal('no-such-run');
    expect(ids(open)).to.deep.equal([]);
  });

  it('keeps a run whose folder is gone for as long as it is executed', async () => {
    const store = await temporaryStore();
    const open = new OpenRuns(store);
    const owner = await startedRun(store, 1);
    open.put(owner.run);
    rmSync(owner.run.folder, { recursive: true });
    expect(await open.get(owner.run.runId)).to.equal(owner.run);
    expect(owner.run.rows).to.have.lengthOf(1);
    expect((await refusal(() => owner.close('finished'))).message).to.match(/was removed/);
    expect((await refusal(() => open.get(owner.run.runId))).code).to.equal('no-such-run');
    expect(ids(open)).to.deep.equal([]);
  });

  it('closes what nobody has asked for when there is too much of it', async () => {
    const store = await temporaryStore();
    const limits = { rows: 1000, runs: 2, idle: 0, idleInCrowd: 0 };
    const open = new OpenRuns(store, () => undefined, limits);
    const runIds: string[] = [];
    for (let n = 0; n < 4; n += 1) runIds.push(await finishedRun(store, 1));
    for (const runId of runIds) await open.get(runId);
    expect(ids(open)).to.have.members(runIds.slice(2));
    expect((await open.get(runIds[0] ?? '')).rows).to.have.lengthOf(1);
    await open.close();
  });

  it('closes by itself what was too much, once nobody has asked for it for a while', async () => {
    const store = await temporaryStore();
    const limits = { rows: 1000, runs: 1, idle: 60_000, idleInCrowd: 200 };
    const open = new OpenRuns(store, () => undefined, limits);
    const runIds = [await finishedRun(store, 1), await finishedRun(store, 1)];
    const clock = FakeClock.install();
    for (const runId of runIds) {
      await open.get(runId);
      clock.pass(1);
    }
    clock.pass(998);
    expect(ids(open)).to.have.members(runIds);
    clock.pass(1);
    expect(ids(open)).to.deep.equal(runIds.slice(1));
    await open.close();
  });

  it('closes long runs first come, first gone', async () => {
    const store = await temporaryStore();
    const limits = { rows: 25, runs: 100, idle: 0, idleInCrowd: 0 };
    const open = new OpenRuns(store, () => undefined, limits);
    const runIds: string[] = [];
    for (let n = 0; n < 3; n += 1) runIds.push(await finishedRun(store, 10));
    for (const runId of runIds) await open.get(runId);
    expect(ids(open)).to.have.members(runIds.slice(1));
    await open.close();
  });

  it('closes nothing that somebody works with, and does when he is through', async () => {
    const store = await temporaryStore();
    const limits = { rows: 1000, runs: 1, idle: 0, idleInCrowd: 0 };
    const open = new OpenRuns(store, () => undefined, limits);
    const runIds = [await finishedRun(store, 1), await finishedRun(store, 1)];
    const clock = FakeClock.install();
    const used = await open.get(runIds[0] ?? '');
    const endUse = used.use();
    clock.pass(1);
    await open.get(runIds[1] ?? '');
    clock.pass(5000);
    expect(used.entry(0)).to.have.property('id');
    expect(ids(open)).to.have.members(runIds);
    endUse();
    clock.pass(1000);
    expect(ids(open)).to.deep.equal(runIds.slice(1));
    await untilClosed(used);
    await open.close();
  });

  it('closes what is replaced or deleted only when nobody works with it', async () => {
    const store = await temporaryStore();
    const open = new OpenRuns(store);
    const runId = await finishedRun(store, 1);
    const before = await open.get(runId);
    const endUse = before.use();
    const other = await store.openRun(runId);
    open.put(other);
    expect(before.entry(0)).to.have.property('id');
    endUse();
    endUse();
    await untilClosed(before);
    const endOther = other.use();
    await open.forget(runId);
    expect(other.entry(0)).to.have.property('id');
    endOther();
    await untilClosed(other);
  });

  it('closes what is too much also when it only takes in runs', async () => {
    const store = await temporaryStore();
    const limits = { rows: 1000, runs: 2, idle: 0, idleInCrowd: 0 };
    const open = new OpenRuns(store, () => undefined, limits);
    for (let n = 0; n < 4; n += 1) open.put(await store.openRun(await finishedRun(store, 1)));
    expect(ids(open)).to.have.lengthOf(2);
    await open.close();
  });

  it('keeps what was asked for a moment ago, and what is executed', async () => {
    const store = await temporaryStore();
    const limits = { rows: 1, runs: 1, idle: 60_000, idleInCrowd: 60_000 };
    const patient = new OpenRuns(store, () => undefined, limits);
    const runIds = [await finishedRun(store, 1), await finishedRun(store, 1)];
    for (const runId of runIds) await patient.get(runId);
    expect(ids(patient)).to.have.members(runIds);
    await patient.close();

    const hasty = { ...limits, idle: 0, idleInCrowd: 0 };
    const open = new OpenRuns(store, () => undefined, hasty);
    const owner = await startedRun(store, 1);
    open.put(owner.run);
    for (const runId of runIds) await open.get(runId);
    expect(ids(open)).to.have.members([owner.run.runId, runIds[1]]);
    await owner.close('stopped');
    await open.close();
  });
});
