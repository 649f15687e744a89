import { expect } from 'chai';
import type { Task } from '../../../src/protocol/messages.js';
import type { Work } from '../../../src/runner/executor.js';
import { firstTaskOf, GroupWork } from '../../../src/runner/variants/group-work.js';

/** Work of so many tasks that notes what it is told. */
class NotedWork implements Work {
  readonly ahead = 2;
  readonly said: unknown[] = [];
  readonly #left: Task[];

  constructor(tasks: number) {
    this.#left = Array.from({ length: tasks }, (_, task) => ({
      task,
      id: `a::${task}`,
      timeout: 1,
    }));
  }

  take(count: number): readonly Task[] {
    return this.#left.splice(0, count);
  }

  left(): number {
    return this.#left.length;
  }

  onStarted(tasks: readonly Task[]): void {
    this.said.push(['started', ...tasks.map(({ task, run }) => [task, run])]);
  }

  onReturned(tasks: readonly Task[]): void {
    this.said.push(['returned', ...tasks.map(({ task }) => task)]);
  }

  onFinished(finished: Parameters<Work['onFinished']>[0]): void {
    this.said.push(['finished', ...finished.map(({ index }) => index)]);
  }

  onPrinted({ task }: Task, _: string, text: string): void {
    this.said.push(['printed', task, text]);
  }

  onCalled(task: number): void {
    this.said.push(['called', task]);
  }

  onUnlisted(): void {
    this.said.push(['unlisted']);
  }

  onCutOff(): void {
    this.said.push(['cut off']);
  }
}

const context = { runId: '0123456789ab', runName: 'a', sessionName: 'b', params: {} };
const outcome = {} as Parameters<Work['onFinished']>[0][number]['outcome'];

function group(...counts: readonly (readonly [place: number, tasks: number])[]) {
  const works = new Map(counts.map(([place, tasks]) => [place, new NotedWork(tasks)]));
  const runs = new Map([...works].map(([place, work]) => [place, { context, work }]));
  return { works, work: new GroupWork(runs, undefined) };
}

describe('the work of a group of runs', () => {
  it('takes a task of each run in turn, until none has any', () => {
    const { work } = group([0, 3], [1, 1], [2, 2]);
    expect(work.left()).to.equal(6);
    const taken = [...work.take(2), ...work.take(10)];
    expect(taken.map(({ run, id }) => [run, id])).to.deep.equal([
      [0, 'a::0'],
      [1, 'a::0'],
      [2, 'a::0'],
      [0, 'a::1'],
      [2, 'a::1'],
      [0, 'a::2'],
    ]);
    expect(new Set(taken.map(({ task }) => task)).size).to.equal(6);
    expect([work.left(), work.take(5)]).to.deep.equal([0, []]);
  });

  it('tells each run of its own tasks, by its own numbers', () => {
    const { work, works } = group([0, 2], [2, 2]);
    const taken = work.take(4);
    work.onStarted(taken);
    work.onReturned(taken.slice(3));
    work.onFinished(taken.map(({ task, id }) => ({ index: task, id, outcome })));
    work.onPrinted(taken[1] as Task, 'stdout', 'hello');
    work.onCalled(firstTaskOf(2) + 1, { calls: [], texts: [] });
    expect(works.get(0)?.said).to.deep.equal([
      ['started', [0, undefined], [1, undefined]],
      ['finished', 0, 1],
    ]);
    expect(works.get(2)?.said).to.deep.equal([
      ['started', [0, undefined], [1, undefined]],
      ['returned', 1],
      ['finished', 0, 1],
      ['printed', 0, 'hello'],
      ['called', 1],
    ]);
  });

  it('tells the first of calls of imports, and all of what may be of any', () => {
    const { work, works } = group([1, 1], [2, 1]);
    work.onUnlisted([]);
    work.onCutOff();
    expect(works.get(1)?.said).to.deep.equal([['unlisted'], ['cut off']]);
    expect(works.get(2)?.said).to.deep.equal([['cut off']]);
  });
});
