import { expect } from 'chai';
import type { FinishedTask, Work } from '../../dist/runner/executor.js';
import { LocalExecutor, type LocalExecutorOptions } from '../../dist/runner/local-executor.js';
import type { Task } from '../../src/protocol/messages.js';
import { Project, removeProjects, until } from '../helpers/project.js';

const open: LocalExecutor[] = [];

function executorFor(project: Project, options: Partial<LocalExecutorOptions> = {}): LocalExecutor {
  const { PATH, HOME } = process.env;
  const executor = new LocalExecutor({
    cwd: project.folder,
    env: { PATH, HOME, PROJECT_UNDER_TEST: project.folder },
    addedEnv: {},
    concurrency: 4,
    workers: 1,
    streamLogs: false,
    redact: (text) => text,
    onPrint: () => undefined,
    onWarning: () => undefined,
    ...options,
  });
  open.push(executor);
  return executor;
}

function filesOf(project: Project, ...names: readonly string[]) {
  return names.map((name) => ({ name, path: project.path(name) }));
}

const context = { runId: 'r', runName: 'n', sessionName: 's', params: {} };

/** A list of tasks as an executor sees it, and what has become of them. */
class TaskList implements Work {
  readonly ahead = 64;
  readonly finished: FinishedTask[] = [];
  readonly #tasks: Task[];

  constructor(ids: readonly string[], timeout = 10) {
    this.#tasks = ids.map((id, task) => ({ task, id, timeout }));
  }

  take(count: number): readonly Task[] {
    return this.#tasks.splice(0, count);
  }

  left(): number {
    return this.#tasks.length;
  }

  onStarted(): void {}
  onReturned(): void {}
  onPrinted(): void {}

  onFinished(finished: readonly FinishedTask[]): void {
    this.finished.push(...finished);
  }

  statuses(): Record<string, string> {
    return Object.fromEntries(this.finished.map(({ task, outcome }) => [task.id, outcome.status]));
  }
}

const good = `
import { evaluation } from 'assay';
export const one = evaluation({ input: { n: 1n }, reference: 'r', metadata: { m: new Date(0) } }, (ctx) => { ctx.output = process.pid; });
export const two = evaluation({}, (ctx) => { ctx.output = process.pid; });
`;

describe('LocalExecutor', () => {
  afterEach(async () => {
    for (const executor of open.splice(0)) executor.close();
    removeProjects();
  });

  describe('an import that never finishes', () => {
    for (const [how, source] of [
      ['because it loops', 'while (true);'],
      ['because it waits', 'await new Promise(() => {});'],
      [
        'because its cases never come',
        `import { evaluation } from 'assay'; export const a = evaluation({ cases: () => new Promise(() => {}) }, () => {});`,
      ],
    ] as const) {
      it(`is given up after its deadline, ${how}, and the other files are loaded`, async () => {
        const project = new Project({
          'a.eval.ts': good,
          'endless.eval.ts': source,
          'z.eval.ts': good,
        });
        const executor = executorFor(project, { importDeadlineMs: 700 });
        const began = performance.now();
        const loaded = await executor.load(
          filesOf(project, 'a.eval.ts', 'endless.eval.ts', 'z.eval.ts'),
        );
        expect(performance.now() - began).to.be.below(6000);
        expect(loaded.failures).to.deep.equal([
          { file: 'endless.eval.ts', message: 'its import did not finish within 0.7 s' },
        ]);
        expect(loaded.descriptors.map((one) => one.id)).to.deep.equal([
          'a.eval.ts::one',
          'a.eval.ts::two',
          'z.eval.ts::one',
          'z.eval.ts::two',
        ]);
        executor.close();
        expect(await project.processesAfter(5000)).to.deep.equal([]);
      });
    }

    it('is given a deadline for each file, not for all together', async () => {
      const slow = `await new Promise((resolve) => setTimeout(resolve, 400));\n${good}`;
      const names = ['a', 'b', 'c', 'd'].map((name) => `${name}.eval.ts`);
      const project = new Project(Object.fromEntries(names.map((name) => [name, slow])));
      const executor = executorFor(project, { importDeadlineMs: 1300 });
      const { failures, descriptors } = await executor.load(filesOf(project, ...names));
      expect(failures).to.deep.equal([]);
      expect(descriptors).to.have.lengthOf(8);
    });
  });

  it('gives up values that take for ever to read, after the deadline, and says which', async () => {
    const project = new Project({
      'a.eval.ts': good,
      'endless.eval.ts': `
import { evaluation } from 'assay';
export const a = evaluation({ cases: [{ input: { toJSON() { while (true); } } }] }, () => {});
`,
    });
    const executor = executorFor(project, { importDeadlineMs: 700 });
    const { descriptors } = await executor.load(filesOf(project, 'a.eval.ts', 'endless.eval.ts'));
    const ids = descriptors.map((one) => one.id);
    const error = await executor.describe(ids, () => undefined).catch((reason) => reason);
    expect(error).to.have.property('code', 'discovery-failed');
    expect(error.message).to.match(/^Reading the values of .*\.eval\.ts::.* more than 0\.7 s/);
    executor.close();
    expect(await project.processesAfter(5000)).to.deep.equal([]);
  });

  it('hands over authored values as JSON, in the order of the ids, whatever their number', async () => {
    const project = new Project({
      'a.eval.ts': good,
      'many.eval.ts': `
import { evaluation } from 'assay';
export const many = evaluation({ cases: Array.from({ length: 450 }, (_, n) => ({ input: n })) }, () => {});
`,
    });
    const executor = executorFor(project);
    const { descriptors } = await executor.load(filesOf(project, 'a.eval.ts', 'many.eval.ts'));
    const ids = descriptors.map((one) => one.id).reverse();
    const values: unknown[] = [];
    await executor.describe(ids, (some) => values.push(...some));
    expect(values).to.have.lengthOf(452);
    expect(values.map((one) => (one as { id: string }).id)).to.deep.equal(ids);
    expect(values.at(-1)).to.deep.equal({
      id: 'a.eval.ts::one',
      input: { n: '1' },
      reference: 'r',
      metadata: { m: '1970-01-01T00:00:00.000Z' },
    });
  });

  it('spreads evaluations over its processes', async () => {
    const project = new Project({
      'a.eval.ts': `
import { evaluation } from 'assay';
export const many = evaluation(
  { cases: Array.from({ length: 40 }, (_, n) => ({ id: String(n) })) },
  async (ctx) => { await new Promise((resolve) => setTimeout(resolve, 60)); ctx.output = process.pid; },
);
`,
    });
    const executor = executorFor(project, { workers: 3, concurrency: 6 });
    const { descriptors } = await executor.load(filesOf(project, 'a.eval.ts'));
    const work = new TaskList(descriptors.map((one) => one.id));
    await executor.execute(context, work);
    expect(work.finished).to.have.lengthOf(40);
    expect(new Set(work.finished.map(({ outcome }) => outcome.output))).to.have.property('size', 3);
  });

  it('has ended when there is nothing to do', async () => {
    const project = new Project({ 'a.eval.ts': good });
    const executor = executorFor(project);
    await executor.load(filesOf(project, 'a.eval.ts'));
    await executor.execute(context, new TaskList([]));
  });

  it('names an evaluation that is not there', async () => {
    const project = new Project({ 'a.eval.ts': good });
    const executor = executorFor(project);
    await executor.load(filesOf(project, 'a.eval.ts'));
    const work = new TaskList(['a.eval.ts::one', 'a.eval.ts::gone']);
    await executor.execute(context, work);
    expect(work.statuses()).to.deep.equal({
      'a.eval.ts::one': 'completed',
      'a.eval.ts::gone': 'error',
    });
  });

  it('gives up, saying why, when no process can be started any more', async () => {
    const project = new Project({
      'a.eval.ts': `
import { existsSync, writeFileSync } from 'node:fs';
import { evaluation } from 'assay';
if (existsSync('imported')) process.reallyExit(9);
writeFileSync('imported', '');
export const crash = evaluation({}, () => { process.kill(process.pid, 'SIGKILL'); });
export const after = evaluation({}, () => {});
`,
    });
    const executor = executorFor(project, { concurrency: 1 });
    const { descriptors } = await executor.load(filesOf(project, 'a.eval.ts'));
    const work = new TaskList(descriptors.map((one) => one.id));
    let failure: unknown;
    await executor.execute(context, work).catch((error: unknown) => {
      failure = error;
    });
    expect(failure).to.be.instanceOf(Error);
    expect((failure as Error).message).to.match(
      /No process can be started for evaluations.*exit code 9/,
    );
    executor.close();
    expect(await project.processesAfter(3000)).to.deep.equal([]);
  });

  it('stops at once what waits, and soon what runs, loops included', async () => {
    const project = new Project({
      'a.eval.ts': `
import { writeFileSync } from 'node:fs';
import { evaluation } from 'assay';
export const loop = evaluation({}, async () => {
  await new Promise((resolve) => setTimeout(resolve, 10));
  writeFileSync('looping', '');
  while (true);
});
export const after = evaluation({ cases: Array.from({ length: 50 }, (_, n) => ({ id: String(n) })) }, () => {});
`,
    });
    const executor = executorFor(project, { concurrency: 1 });
    const { descriptors } = await executor.load(filesOf(project, 'a.eval.ts'));
    const work = new TaskList(
      descriptors.map((one) => one.id),
      600,
    );
    const executed = executor.execute(context, work);
    await until(() => project.has('looping'), 'the loop');
    const stoppedAt = performance.now();
    await executor.stop();
    await executed;
    expect(performance.now() - stoppedAt).to.be.below(4000);
    expect(work.finished).to.deep.equal([]);
    expect(await project.processesAfter(2000)).to.deep.equal([]);
  });
});
