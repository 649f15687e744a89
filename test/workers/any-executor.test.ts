import { hostname } from 'node:os';
import { expect } from 'chai';
import type { Executor, LocalExecutorOptions } from '../../dist/runner/executor.js';
import { LocalExecutor } from '../../dist/runner/local/local-executor.js';
import { QueueWorker } from '../../dist/workers/queue-worker.js';
import { RedisExecutor } from '../../dist/workers/redis-executor.js';
import { openRedis } from '../../dist/workers/redis-server.js';
import { blockForever } from '../helpers/blocking.js';
import { Project, removeProjects, until } from '../helpers/project.js';
import { RedisUnderTest } from '../helpers/redis.js';
import { filesOf, good, optionsOf } from '../runner/local/executor-project.js';
import { context, TaskList } from '../runner/local/task-list.js';

let server: RedisUnderTest | undefined;
/** Frees what a test has used. */
const ends: (() => Promise<void> | void)[] = [];

/** An executor for a project, with all that it needs to execute. */
type Make = (project: Project, more?: Partial<LocalExecutorOptions>) => Promise<Executor>;

async function makeLocal(project: Project, more: Partial<LocalExecutorOptions> = {}) {
  const executor = new LocalExecutor(optionsOf(project, more));
  ends.push(() => executor.close());
  return executor;
}

/** With a worker of as many processes and slots. */
async function makeRemote(project: Project, more: Partial<LocalExecutorOptions> = {}) {
  server ??= await RedisUnderTest.start();
  const options = optionsOf(project, more);
  const redis = await openRedis({ url: server.url, project: project.folder });
  const worker = new QueueWorker({
    redis,
    name: 'worker',
    host: hostname(),
    pid: process.pid,
    slots: options.concurrency,
    offers: [],
    lockMs: 1_000,
    local: { ...options, ...project.ownFolders },
    onEvent: () => undefined,
  });
  await worker.begin();
  let removed: Promise<void> | undefined;
  const executor = new RedisExecutor({
    ...options,
    resumes: false,
    connect: async () => redis,
    onEnding: (removal) => {
      removed = removal;
    },
    hasEnded: async () => false,
  });
  ends.push(async () => {
    executor.close();
    await removed;
    await worker.drain();
    await redis.close();
  });
  return executor;
}

const executors: readonly (readonly [string, Make])[] = [
  ['LocalExecutor', makeLocal],
  ['RedisExecutor', makeRemote],
];
for (const [name, made] of executors) {
  describe(`any executor: ${name}`, function () {
    this.timeout(120_000);
    afterEach(async () => {
      for (const end of ends.splice(0)) await end();
      removeProjects();
    });
    after(async () => {
      await server?.end();
      server = undefined;
    });

    it('hands over authored values as JSON, in the order of the ids, whatever their number', async () => {
      const project = new Project({
        'a.eval.ts': good,
        'many.eval.ts': `
  import { evaluation } from 'assay';
  export const many = evaluation({ cases: Array.from({ length: 450 }, (_, n) => ({ input: n })) }, () => {});
  `,
      });
      const executor = await made(project);
      const { descriptors } = await executor.load(filesOf(project, 'a.eval.ts', 'many.eval.ts'));
      const ids = descriptors.map((one) => one.id).reverse();
      const values: unknown[] = [];
      await executor.describe(ids, (some) => values.push(...some));
      expect(values).to.have.lengthOf(452);
      expect(values.map((one) => (one as { id: string }).id)).to.deep.equal(ids);
      const { kept, ...shown } = values.at(-1) as { readonly kept: object };
      expect(kept).to.have.keys('input', 'metadata', 'node');
      expect(shown).to.deep.equal({
        id: 'a.eval.ts::one',
        exact: 'c942fd666404c105',
        input: { n: '1' },
        reference: 'r',
        metadata: { m: '1970-01-01T00:00:00.000Z' },
      });
    });

    it('can be paused before it executes anything, and names an evaluation that is not there', async () => {
      const project = new Project({ 'a.eval.ts': good });
      const executor = await made(project);
      await executor.load(filesOf(project, 'a.eval.ts'));
      await executor.pause();
      const work = new TaskList(['a.eval.ts::one', 'a.eval.ts::gone']);
      const done = executor.execute([context], work);
      expect(work.left()).to.equal(2);
      executor.resume();
      await done;
      expect(work.statuses()).to.deep.equal({
        'a.eval.ts::one': 'completed',
        'a.eval.ts::gone': 'error',
      });
    });

    it('stops at once what waits, and soon what runs, also what blocks its process', async () => {
      const project = new Project({
        'a.eval.ts': `
  import { writeFileSync } from 'node:fs';
  import { evaluation } from 'assay';
  export const blocked = evaluation({}, async () => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    writeFileSync('blocked', '');
    ${blockForever}
  });
  export const after = evaluation({ cases: Array.from({ length: 50 }, (_, n) => ({ id: String(n) })) }, () => {});
  `,
      });
      const executor = await made(project, { concurrency: 1 });
      const { descriptors } = await executor.load(filesOf(project, 'a.eval.ts'));
      const work = new TaskList(
        descriptors.map((one) => one.id),
        600,
      );
      const executed = executor.execute([context], work);
      await until(() => project.has('blocked'), 'the blocked process');
      // A run may be told to stop twice, as when it ends while its worker does.
      await Promise.all([executor.stop(), executor.stop()]);
      await executed;

      expect(work.finished).to.deep.equal([]);
      expect(await project.processesLeft()).to.deep.equal([]);
    });
  });
}
