import { type ChildProcess, spawn } from 'node:child_process';
import { expect } from 'chai';
import { startedOutsideGroup, tableFromPs } from '../../src/processes/process-tree.js';
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
    for (const pid of outside) killQuietly(pid);
    if (leader?.pid !== undefined) killQuietly(-leader.pid);
  });

  it('finds what was started detached, with what that has started, and nothing of the group', async () => {
    leader = spawn(process.execPath, ['-e', script], { detached: true, stdio: 'ignore' });
    const { pid = 0 } = leader;
    await until(() => {
      outside = startedOutsideGroup({ pid, mark: 'no such mark' });
      return outside.length === 2;
    }, 'a shell and its sleep');
    expect(outside).not.to.include(pid);
  });

  it('finds what has left its parent, by its mark', async () => {
    const env = { ...process.env, MARK: 'process-tree-mark-1;' };
    const daemon = 'setsid sh -c "setsid sleep 100 &" & wait';
    leader = spawn('sh', ['-c', `${daemon}; exec sleep 100`], { env, detached: true });
    const host = { pid: leader.pid ?? 0, mark: 'process-tree-mark-1;' };
    const fromPs = (mark: string) =>
      tableFromPs(mark).flatMap(({ pid, isMarked }) => (isMarked ? [pid] : []));
    await until(() => {
      // What starts the daemon is there for a moment too.
      const before = startedOutsideGroup(host);
      const listed = fromPs(host.mark);
      outside = startedOutsideGroup(host);
      const [daemon = 0] = outside;
      return outside.length === 1 && before[0] === daemon && listed.includes(daemon);
    }, 'the daemon, in the list of ps too');
    expect(fromPs('another mark')).to.deep.equal([]);
  });

  it('takes no mark for none, and not for that of all', () => {
    outside = [];
    leader = undefined;
    expect(startedOutsideGroup({ pid: 2 ** 22 + 1, mark: '' })).to.deep.equal([]);
    expect(tableFromPs('').filter(({ isMarked }) => isMarked)).to.deep.equal([]);
  });

  it('finds nothing of a process that is not there', () => {
    outside = [];
    leader = undefined;
    expect(startedOutsideGroup({ pid: 2 ** 22 + 1, mark: 'no such mark' })).to.deep.equal([]);
  });
});

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
