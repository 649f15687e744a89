import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { expect } from 'chai';
import { finishedRun, refusal, temporaryStore } from './builders.js';

describe('a disk that stays full', () => {
  const { fdatasync } = fs;

  afterEach(() => {
    fs.fdatasync = fdatasync;
    syncBuiltinESMExports();
  });

  it('renames a run, and says that only the confirmation is missing', async () => {
    const store = await temporaryStore();
    const runId = await finishedRun(store, 1);
    fs.fdatasync = ((_: number, done: (error: Error) => void) =>
      process.nextTick(
        done,
        Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'fdatasync' }),
      )) as never;
    syncBuiltinESMExports();
    const error = await refusal(() => store.renameRun(runId, 'calm-heron'));
    expect(error.message).to.match(/^The change is made, but the disk does not confirm it: /);
    expect(error.code).to.equal('storage-full');
    const run = await store.openRun(runId);
    expect(run.header.run_name).to.equal('calm-heron');
    await run.close();
  });
});
