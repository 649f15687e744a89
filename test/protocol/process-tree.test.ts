import { type ChildProcess, spawn } from 'node:child_process';
import { expect } from 'chai';
import { startedOutsideGroup } from '../../src/protocol/process-tree.js';
import { until } from '../helpers/project.js';

const script = `
const { spawn } = require('node:child_process');
spawn('sleep', ['100']);
spawn('sh', ['-c', 'sleep 100; true'], { detached: true });
setTimeout(() => {}, 100_000);
`;

describe('startedOutsideGroup', () => {
  let leader: ChildProcess | undefined;
  let outside: readonly number[] = [];
  afterEach(() => {
    for (const pid of outside) process.kill(pid, 'SIGKILL');
    if (leader?.pid !== undefined) process.kill(-leader.pid, 'SIGKILL');
  });

  it('finds what was started detached, with what that has started, and nothing of the group', async () => {
    leader = spawn(process.execPath, ['-e', script], { detached: true, stdio: 'ignore' });
    const { pid = 0 } = leader;
    await until(() => {
      outside = startedOutsideGroup(pid);
      return outside.length === 2;
    }, 'a shell and its sleep');
    expect(outside).not.to.include(pid);
  });

  it('finds nothing of a process that is not there', () => {
    outside = [];
    leader = undefined;
    expect(startedOutsideGroup(2 ** 22 + 1)).to.deep.equal([]);
  });
});
