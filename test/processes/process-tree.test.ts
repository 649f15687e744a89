import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import {
  hasStartedNone,
  startedOutsideGroup,
  tableFromPs,
} from '../../src/processes/process-tree.js';
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

describe('hasStartedNone', () => {
  const started: ChildProcess[] = [];
  const shell = (script: string) => {
    const child = spawn('sh', ['-c', script], { detached: true });
    started.push(child);
    return child;
  };
  afterEach(() => {
    for (const { pid = 0 } of started.splice(0)) killQuietly(-pid);
  });

  it('is true of a process that has started none', async () => {
    const { pid = 0 } = shell('exec sleep 100');
    await until(() => hasStartedNone(pid), 'a process that is alone');
  });

  for (const [what, script] of [
    ['has a child', 'sleep 100 & echo; wait'],
    ['had one that it has waited for', 'sleep 0; echo; exec sleep 100'],
    ['had one that it has not waited for', 'sleep 0 & echo; exec sleep 100'],
    ['had one that has left it', '(setsid sleep 1 &); echo; exec sleep 100'],
  ]) {
    it(`is not of one that ${what}`, async () => {
      const { pid = 0, stdout } = shell(script as string);
      await once(stdout, 'data');
      expect(hasStartedNone(pid)).to.equal(false);
    });
  }

  it('is not of one that has ended, whether or not somebody has waited for it', async () => {
    const { stdout } = shell(`sh -c 'echo $$; sleep 100 &' & exec sleep 100`);
    const [pid] = await once(stdout, 'data');
    await until(
      () => / Z /.test(readFileSync(`/proc/${Number(pid)}/stat`, 'latin1')),
      'the end of the process',
    );
    expect(hasStartedNone(Number(pid))).to.equal(false);
    expect(hasStartedNone(2 ** 22 + 1)).to.equal(false);
  });
});

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
