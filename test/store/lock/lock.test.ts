import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import {
  liveHolder,
  lockPath,
  lockText,
  ownIdentity,
  takeLock,
} from '../../../src/store/lock/lock.js';
import type { Store } from '../../../src/store/store.js';
import { times } from '../../helpers/rounds.js';
import {
  finished,
  finishedRun,
  refusal,
  startedRun,
  temporaryFolder,
  temporaryStore,
} from '../builders.js';
import { startChild } from '../children.js';

function holdLock(folder: string, change: object): void {
  writeFileSync(lockPath(folder), JSON.stringify({ ...ownIdentity(), nonce: '1', ...change }));
}

describe('the lock of a run', () => {
  it('is given to one, and to the next after it was given back', async () => {
    const folder = temporaryFolder();
    const lock = takeLock(folder, 'Run x');
    const error = await refusal(() => takeLock(folder, 'Run x'));
    expect(error.code).to.equal('busy');
    expect(error.message).to.equal(`Run x is in use by process ${process.pid}.`);
    lock.release();
    expect(readdirSync(folder)).to.deep.equal([]);
    takeLock(folder, 'Run x').release();
  });

  it('is not given back by one who has lost it', () => {
    const folder = temporaryFolder();
    const lock = takeLock(folder, 'Run x');
    writeFileSync(lockPath(folder), lockText());
    lock.release();
    expect(existsSync(lockPath(folder))).to.equal(true);
  });

  for (const [what, change] of [
    ['whose process is gone', { pid: 2 ** 22 + 1 }],
    ['whose process number belongs to a later process', { start_time: '1' }],
    ['from before the machine was started', { boot_id: 'another' }],
  ] as const) {
    it(`is taken over from one ${what}`, () => {
      const folder = temporaryFolder();
      holdLock(folder, change);
      expect(liveHolder(folder)).to.equal(undefined);
      takeLock(folder, 'Run x').release();
      expect(readdirSync(folder)).to.deep.equal([]);
    });
  }

  it('is left to one who took it over while another looked at it', async () => {
    const folder = temporaryFolder();
    holdLock(folder, { pid: 2 ** 22 + 1 });
    const taken = lockText();
    const kill = process.kill;
    // What another process does between the look at the dead one and the removal of its lock.
    process.kill = (pid, signal) => {
      writeFileSync(lockPath(folder), taken);
      return kill.call(process, pid, signal);
    };
    try {
      expect((await refusal(() => takeLock(folder, 'Run x'))).code).to.equal('busy');
    } finally {
      process.kill = kill;
    }
    expect(readFileSync(lockPath(folder), 'utf8')).to.equal(taken);
  });

  it('is taken over when the file says nothing', () => {
    const folder = temporaryFolder();
    for (const text of ['', 'garbage', '{"pid":0}', '\0\0\0']) {
      writeFileSync(lockPath(folder), text);
      takeLock(folder, 'Run x').release();
    }
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it('of another machine counts, and the message says what to delete', async () => {
    const folder = temporaryFolder();
    holdLock(folder, { host: `${hostname()}-2`, pid: 2 ** 22 + 1, boot_id: 'another' });
    const error = await refusal(() => takeLock(folder, 'Run x'));
    expect(error.message).to.contain(`on ${hostname()}-2`);
    expect(error.hints.join()).to.contain(lockPath(folder));
  });

  it('is taken over past a process that died while taking it over', () => {
    const folder = temporaryFolder();
    holdLock(folder, { pid: 2 ** 22 + 1 });
    const dead = JSON.stringify({ ...ownIdentity(), pid: 2 ** 22 + 2, nonce: '2' });
    // The guard of exactly this lock, left by a dead process.
    writeFileSync(join(folder, `lock.takeover.${guardName(folder)}`), dead);
    takeLock(folder, 'Run x').release();
    expect(readdirSync(folder)).to.deep.equal([]);
  });
});

function guardName(folder: string): string {
  return createHash('sha256')
    .update(readFileSync(lockPath(folder)))
    .digest('hex')
    .slice(0, 16);
}

describe('the owner of a run', () => {
  let store: Store;
  let runId: string;

  beforeEach(async () => {
    store = await temporaryStore();
    runId = await finishedRun(store, 2);
  });

  it('is one live process; others read, and can neither own nor delete', async () => {
    const child = startChild('hold', [store.root, runId, 'execute']);
    await child.says('holds');
    const run = await store.openRun(runId);
    expect(run.state).to.equal('running');
    expect(run.owner).to.deep.equal({ pid: child.process.pid, host: hostname() });
    await run.edit(0, { annotation: 'meanwhile' });
    for (const act of [
      () => store.ownRun(runId),
      () => store.deleteRun(runId),
      () => store.deleteSession('default'),
    ]) {
      const error = await refusal(act);
      expect(error.code).to.equal('busy');
      expect(error.message).to.contain(`process ${child.process.pid}`);
    }
    child.process.kill('SIGKILL');
    await child.ended;
    await run.refresh();
    expect(run.state).to.equal('interrupted');
    expect(run.owner).to.equal(undefined);
    await run.close();
    expect((await store.listRuns())[0]?.state).to.equal('interrupted');
    const owner = await store.ownRun(runId);
    expect(owner.run.rows.map((row) => row.status)).to.deep.equal(['pending', 'pending']);
    expect(owner.run.entry(0).result.annotation).to.equal('meanwhile');
    await owner.close('stopped');
    await owner.run.close();
  });

  it('waits for one that has only the end to write, not for one with a row to run', async () => {
    const executing = await startedRun(store, 2);
    const { runId: id } = executing.run;
    executing.finish([finished(0)]);
    expect((await refusal(() => store.ownRun(id))).code).to.equal('busy');
    executing.finish([finished(1)]);
    const next = store.ownRun(id);
    await setImmediate();
    await executing.close('finished');
    await executing.run.close();
    const owner = await next;
    expect(owner.run.state).to.equal('finished');
    const deletion = store.deleteRun(id);
    await owner.release();
    await owner.run.close();
    await deletion;
    expect((await refusal(() => store.ownRun(id))).code).to.equal('no-such-run');
  });

  it('waits for a regrade that has only the end to write, not for one with a row to grade', async () => {
    const grading = await store.ownRun(runId);
    grading.schedule({ kind: 'regrade', rows: 'all' });
    for (const index of [0, 1]) {
      expect((await refusal(() => store.ownRun(runId))).code).to.equal('busy');
      grading.regrade([{ index, status: 'completed', error: null, scores: [] }]);
    }
    const next = store.ownRun(runId);
    await setImmediate();
    await grading.close('finished');
    await grading.run.close();
    const owner = await next;
    await owner.release();
    await owner.run.close();
  });

  it('is one of many that try to take over from a dead one at the same moment', async () => {
    for (let round = 0; round < times(0.4); round += 1) {
      const first = startChild('hold', [store.root, runId]);
      const children = Array.from({ length: 4 }, () =>
        startChild('hold', [store.root, runId, 'race']),
      );
      await first.says('holds');
      first.process.kill('SIGKILL');
      await first.ended;
      await Promise.all(children.map((child) => child.says('ready')));
      for (const child of children) child.process.stdin?.write('go\n');
      const losers = children.map((child) => child.ended);
      const winners = children.map((child) => child.says('holds').then(() => child));
      const winner = await Promise.any(winners);
      const said = await Promise.all(losers.filter((_, at) => children[at] !== winner));
      expect(said.map(({ out }) => out.trim().split('\n').at(-1))).to.deep.equal(
        Array(3).fill('busy'),
      );
      winner.process.kill('SIGKILL');
      await winner.ended;
    }
    const owner = await store.ownRun(runId);
    await owner.close('finished');
    await owner.run.close();
    expect(readdirSync(owner.run.folder).sort()).to.deep.equal(['results.jsonl', 'run.json']);
  });
});
