import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { mayBeAlive, ownIdentity } from '../../../src/store/lock/lock.js';
import {
  isSameStart,
  ownStart,
  startFromPs,
  startOf,
} from '../../../src/store/lock/process-start.js';

describe('the start of a process', () => {
  it('is the same from /proc, also when the name of the program has brackets', () => {
    expect(startOf(process.pid, ownStart())).to.equal(ownStart());
  });

  it('is known from ps where there is no /proc', () => {
    const byClock = `@${Math.round(performance.timeOrigin)}`;
    const byPs = startFromPs(process.pid);
    expect(byPs).to.match(/^@\d+$/);
    expect(isSameStart(byPs ?? '', byClock), `${byPs} and ${byClock}`).to.equal(true);
  });

  it('is that of another process when it is seconds apart', () => {
    expect(isSameStart('@1763809200000', '@1763809202500')).to.equal(true);
    expect(isSameStart('@1763809200000', '@1763809204000')).to.equal(false);
    expect(isSameStart('81723', '81723')).to.equal(true);
    expect(isSameStart('81723', '81724')).to.equal(false);
  });

  it('is none for a process that is gone', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    expect(startFromPs(child.pid ?? 0)).to.equal(null);
  });

  it('tells a later process with the same number from the one that wrote a lock', () => {
    const own = { ...ownIdentity(), boot_id: null };
    const start = Math.round(performance.timeOrigin);
    expect(mayBeAlive({ ...own, start_time: `@${start}` })).to.equal(true);
    expect(mayBeAlive({ ...own, start_time: `@${start - 60_000}` })).to.equal(false);
  });
});
