import { expect } from 'chai';
import type { Task } from '../../../src/protocol/messages.js';
import { Assignments, BlockedProcessKiller } from '../../../src/runner/local/assignments.js';

function task(number: number, timeout = 10): Task {
  return { task: number, id: `a.eval.ts::f${number}`, timeout };
}

/** Tasks 1 to `count`, the first of them started at `now`. */
function given(options: {
  slots: number;
  count: number;
  started?: readonly number[];
  now?: number;
}) {
  const assignments = new Assignments(options.slots);
  assignments.add(Array.from({ length: options.count }, (_, n) => task(n + 1)));
  if (options.started !== undefined) assignments.start(options.started, options.now ?? 0);
  return assignments;
}

/** The signals that the process of these tasks gets when it is checked at these times. */
function signalsOf(assignments: Assignments, ...times: readonly number[]): string[] {
  const signals: string[] = [];
  const killer = new BlockedProcessKiller();
  const process = { kill: (signal: string) => void signals.push(signal) };
  for (const now of times) killer.check(process, assignments.lateMs(now));
  return signals;
}

function numbers(tasks: readonly Task[]): number[] {
  return tasks.map((one) => one.task);
}

describe('Assignments', () => {
  it('moves tasks from waiting to running to gone', () => {
    const assignments = given({ slots: 2, count: 3 });
    expect(numbers(assignments.waiting())).to.deep.equal([1, 2, 3]);
    expect(numbers(assignments.start([1, 2], 0))).to.deep.equal([1, 2]);
    expect(numbers(assignments.waiting())).to.deep.equal([3]);
    expect(assignments.finish(1, false, 5)?.task).to.equal(1);
    expect(assignments.size).to.equal(2);
    expect(assignments.get(1)).to.equal(undefined);
  });

  it('knows nothing of tasks it was not given', () => {
    const assignments = given({ slots: 2, count: 1 });
    expect(assignments.start([7], 0)).to.deep.equal([]);
    assignments.postpone([7]);
    expect(assignments.takeBack([7])).to.deep.equal([]);
    expect(assignments.finish(7, false, 0)).to.equal(undefined);
    assignments.release(7);
    expect(assignments.size).to.equal(1);
  });

  it('does not start, take back or finish a task twice', () => {
    const assignments = given({ slots: 2, count: 1, started: [1] });
    expect(assignments.start([1], 0)).to.deep.equal([]);
    expect(assignments.takeBack([1])).to.deep.equal([]);
    expect(assignments.finish(1, true, 0)?.task).to.equal(1);
    expect(assignments.finish(1, false, 0)).to.equal(undefined);
    assignments.release(1);
    assignments.release(1);
    expect(assignments.size).to.equal(0);
  });

  it('does not release what still runs', () => {
    const assignments = given({ slots: 1, count: 1, started: [1] });
    assignments.release(1);
    expect(assignments.size).to.equal(1);
  });

  it('lets a postponed task wait again, without a deadline', () => {
    const assignments = given({ slots: 1, count: 1, started: [1], now: 0 });
    assignments.postpone([1]);
    expect(numbers(assignments.waiting())).to.deep.equal([1]);
    assignments.hear(60_000);
    expect(signalsOf(assignments, 60_000)).to.deep.equal([]);
  });

  it('forgets a task that is postponed after a stop: the process has forgotten it, too', () => {
    const assignments = given({ slots: 2, count: 2, started: [1, 2] });
    assignments.stop(100);
    assignments.postpone([2]);
    assignments.finish(1, false, 100);
    expect(assignments.size).to.equal(0);
  });

  describe('a process that does not let go', () => {
    it('is asked once and then ended, before two seconds have passed', () => {
      const assignments = given({ slots: 1, count: 1, started: [1], now: 1000 });
      expect(signalsOf(assignments, 11_000, 12_000)).to.deep.equal([]);
      expect(signalsOf(assignments, 12_400, 12_500)).to.deep.equal(['SIGTERM']);
      expect(signalsOf(assignments, 12_400, 12_950)).to.deep.equal(['SIGTERM', 'SIGKILL']);
    });

    it('is not asked when the task has finished', () => {
      const assignments = given({ slots: 1, count: 1, started: [1] });
      assignments.finish(1, false, 10_000);
      expect(signalsOf(assignments, 60_000)).to.deep.equal([]);
    });

    it('has from the moment of the result when something lingers', () => {
      const assignments = given({ slots: 1, count: 1, started: [1] });
      assignments.finish(1, true, 500);
      expect(signalsOf(assignments, 1500)).to.deep.equal([]);
      expect(signalsOf(assignments, 1900)).to.deep.equal(['SIGTERM']);
      assignments.release(1);
      expect(signalsOf(assignments, 9000)).to.deep.equal([]);
    });

    it('has from now on when everything is stopped, and what waits is forgotten', () => {
      const assignments = given({ slots: 1, count: 3, started: [1] });
      assignments.stop(100);
      expect(assignments.size).to.equal(1);
      expect(signalsOf(assignments, 1300)).to.deep.equal([]);
      expect(signalsOf(assignments, 1500)).to.deep.equal(['SIGTERM']);
    });

    it('is known by its silence when it could not even say what it has started', () => {
      const assignments = given({ slots: 1, count: 2 });
      const now = performance.now();
      expect(signalsOf(assignments, now + 9_000)).to.deep.equal([]);
      expect(signalsOf(assignments, now + 11_500)).to.deep.equal(['SIGTERM']);
      assignments.hear(now + 11_500);
      expect(signalsOf(assignments, now + 12_500)).to.deep.equal([]);
    });
  });

  describe('a process that a debugger has stopped', () => {
    it('is not ended, and its tasks then have the time that was left', () => {
      const assignments = given({ slots: 1, count: 1, started: [1], now: 0 });
      assignments.pause(4000, false);
      assignments.pause(5000, false);
      expect(assignments.isPaused).to.equal(true);
      expect(signalsOf(assignments, 1_000_000)).to.deep.equal([]);
      assignments.goOn(1_004_000);
      expect(assignments.lateMs(1_010_000)).to.equal(0);
      expect(signalsOf(assignments, 1_011_500)).to.deep.equal(['SIGTERM']);
    });

    it('is not ended either for what ran when nobody knows since when it has stood', () => {
      const assignments = given({ slots: 1, count: 1, started: [1], now: 0 });
      assignments.pause(10_300, true);
      assignments.goOn(20_000);
      expect(signalsOf(assignments, 1_000_000)).to.deep.equal([]);
    });

    it('is ended when everything is stopped', () => {
      const assignments = given({ slots: 1, count: 1, started: [1], now: 0 });
      assignments.pause(100, false);
      assignments.stop(200);
      expect(signalsOf(assignments, 1600)).to.deep.equal(['SIGTERM']);
    });
  });

  describe('when the process has ended', () => {
    it('the only one that ran is the culprit', () => {
      const left = given({ slots: 1, count: 3, started: [1] }).clear(true, 100);
      expect(left.culprit?.task).to.equal(1);
      expect(left.suspects).to.deep.equal([]);
      expect(numbers(left.waiting)).to.deep.equal([2, 3]);
      expect(left.wasOverdue).to.equal(false);
    });

    it('all that ran are suspects when they are several', () => {
      const left = given({ slots: 4, count: 5, started: [1, 2, 3] }).clear(true, 100);
      expect(left.culprit).to.equal(undefined);
      expect(numbers(left.suspects)).to.deep.equal([1, 2, 3]);
      expect(numbers(left.waiting)).to.deep.equal([4, 5]);
    });

    it('nobody is accused alone while another may have started unannounced', () => {
      const left = given({ slots: 2, count: 3, started: [1] }).clear(false, 100);
      expect(left.culprit).to.equal(undefined);
      expect(numbers(left.suspects)).to.deep.equal([1]);
      expect(numbers(left.waiting)).to.deep.equal([2, 3]);
    });

    it('the others are innocent when one had not let go in time', () => {
      const assignments = given({ slots: 3, count: 3, started: [1, 2, 3] });
      assignments.finish(1, true, 1000);
      const left = assignments.clear(true, 2900);
      expect(left.culprit).to.equal(undefined);
      expect(left.suspects).to.deep.equal([]);
      expect(numbers(left.innocent)).to.deep.equal([2, 3]);
      expect(left.wasOverdue).to.equal(true);
    });

    it('what lingered and had its result is not run again', () => {
      const assignments = given({ slots: 2, count: 1, started: [1] });
      assignments.finish(1, true, 0);
      const left = assignments.clear(true, 100);
      const all = [...left.suspects, ...left.innocent, ...left.waiting];
      expect(all).to.deep.equal([]);
      expect(left.culprit).to.equal(undefined);
    });

    it('the one that kept the process busy beyond its time is the culprit', () => {
      const assignments = given({ slots: 3, count: 3, started: [1, 2, 3] });
      assignments.markHeld(2);
      const left = assignments.clear(true, 11_900);
      expect(left.culprit?.task).to.equal(2);
      expect(left.holder).to.equal('a.eval.ts::f2');
      expect(numbers(left.innocent)).to.deep.equal([1, 3]);
    });

    it('the one that kept it busy for others, within its own time, runs again by itself', () => {
      const assignments = new Assignments(2);
      assignments.add([task(1, 1), task(2, 300)]);
      assignments.start([1, 2], 0);
      assignments.markHeld(2);
      const left = assignments.clear(true, 2900);
      expect(left.culprit).to.equal(undefined);
      expect(numbers(left.suspects)).to.deep.equal([2]);
      expect(numbers(left.innocent)).to.deep.equal([1]);
      expect(left.lostSeconds).to.equal(5.8);
    });

    it('all are innocent when what kept it busy had finished', () => {
      const assignments = given({ slots: 3, count: 3, started: [1, 2, 3] });
      assignments.markHeld(1);
      assignments.finish(1, false, 100);
      const left = assignments.clear(true, 11_900);
      expect(left.culprit).to.equal(undefined);
      expect(numbers(left.innocent)).to.deep.equal([2, 3]);
    });

    it('one that has let go since is not accused', () => {
      const assignments = given({ slots: 3, count: 3, started: [1, 2, 3] });
      assignments.markHeld(1);
      assignments.finish(1, true, 100);
      assignments.release(1);
      expect(numbers(assignments.clear(true, 200).suspects)).to.deep.equal([2, 3]);
    });

    it('one that kept it busy before it said something else is not accused', () => {
      const assignments = given({ slots: 3, count: 3, started: [1, 2, 3] });
      assignments.markHeld(1);
      assignments.hear(100);
      expect(numbers(assignments.clear(true, 200).suspects)).to.deep.equal([1, 2, 3]);
    });

    it('says that the culprit held its process beyond its time', () => {
      const left = given({ slots: 1, count: 1, started: [1] }).clear(true, 12_000);
      expect(left.culprit?.task).to.equal(1);
      expect(left.wasOverdue).to.equal(true);
    });

    it('nothing is left for the next process', () => {
      const assignments = given({ slots: 2, count: 3, started: [1] });
      assignments.clear(true, 0);
      expect(assignments.size).to.equal(0);
      expect(signalsOf(assignments, 1e9)).to.deep.equal([]);
    });
  });
});
