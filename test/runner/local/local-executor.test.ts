import '../../faults/preload/no-memory.cjs';
import { expect } from 'chai';
import type { LocalExecutorOptions } from '../../../dist/runner/executor.js';
import { LocalExecutor } from '../../../dist/runner/local/local-executor.js';
import { blockForever } from '../../helpers/blocking.js';
import { Project, removeProjects } from '../../helpers/project.js';
import { fewOf } from '../../helpers/rounds.js';
import { filesOf, good, optionsOf } from './executor-project.js';
import { context, TaskList } from './task-list.js';

const open: LocalExecutor[] = [];

function executorFor(project: Project, options: Partial<LocalExecutorOptions> = {}): LocalExecutor {
  const executor = new LocalExecutor(optionsOf(project, options));
  open.push(executor);
  return executor;
}

describe('LocalExecutor', () => {
  afterEach(async () => {
    for (const executor of open.splice(0)) executor.close();
    removeProjects();
  });

  describe('an import that never finishes', () => {
    it('is given up after its deadline, and the other files are loaded', async () => {
      const project = new Project({
        'a.eval.ts': good,
        'blocks.eval.ts': blockForever,
        'waits.eval.ts': 'await new Promise(() => {});',
        'without-cases.eval.ts': `import { evaluation } from 'assay'; export const a = evaluation({ cases: () => new Promise(() => {}) }, () => {});`,
        'z.eval.ts': good,
      });
      const endless = ['blocks.eval.ts', 'waits.eval.ts', 'without-cases.eval.ts'];
      const executor = executorFor(project, { importTimeout: 0.7 });
      const loaded = await executor.load(filesOf(project, 'a.eval.ts', ...endless, 'z.eval.ts'));
      expect(loaded.failures).to.deep.equal(
        endless.map((file) => ({
          file,
          message:
            'its import did not get on for 0.7 s; to wait longer, set import_timeout in assay.yaml',
        })),
      );
      expect(loaded.descriptors.map((one) => one.id)).to.deep.equal([
        'a.eval.ts::one',
        'a.eval.ts::two',
        'z.eval.ts::one',
        'z.eval.ts::two',
      ]);
      executor.close();
      expect(await project.processesLeft()).to.deep.equal([]);
    });

    it('is given more time while it loads modules', async () => {
      // Each step is a small part of the deadline, so that a busy machine has time; all together exceed it.
      const wait = 'await new Promise((resolve) => setTimeout(resolve, 250));';
      const project = new Project({
        'a.eval.ts': `await import('./m0.js');\n${good}`,
        ...Object.fromEntries(
          Array.from({ length: 20 }, (_, at) => [
            `m${at}.ts`,
            `${wait} await import('./m${at + 1}.js');`,
          ]),
        ),
        'm20.ts': 'export {};',
      });
      const executor = executorFor(project, { importTimeout: 4 });
      const { failures, descriptors } = await executor.load(filesOf(project, 'a.eval.ts'));
      expect(failures).to.deep.equal([]);
      expect(descriptors).to.have.lengthOf(2);
    });
  });

  it('loads TypeScript in the threads and processes that a file starts', async () => {
    const project = new Project({
      'package.json': '{ "type": "module" }',
      'a.eval.ts': `
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { evaluation } from 'assay';
const [said] = await once(new Worker(new URL('./thread.js', import.meta.url), { workerData: 1 }), 'message');
class Own extends Worker {}
const [own] = await once(new Own('./inner.ts'), 'message');
const [plain] = await once(new Worker('require("node:worker_threads").parentPort.postMessage("plain")', { eval: true }), 'message');
const child = fork('./child.ts', ['argument'], { serialization: 'advanced' });
const [forked] = await once(child, 'message');
const [bare] = await once(fork('../child.js', { cwd: './folder', stdio: ['pipe', 'pipe', 'pipe', 'ipc'] }), 'message');
const [js] = await once(fork('./js.mjs'), 'message');
export const found = evaluation({ labels: [said, own, plain, forked, bare, js] }, () => {});`,
      'thread.ts': `
import { once } from 'node:events';
import { parentPort, Worker } from 'node:worker_threads';
import { thread } from './kind.js';
const [inner] = await once(new Worker(new URL('./inner.ts', import.meta.url)), 'message');
parentPort?.postMessage(thread + ' ' + inner);`,
      'inner.ts': `
import { parentPort } from 'node:worker_threads';
enum Kind { Inner = 'inner' }
parentPort?.postMessage(Kind.Inner);`,
      'child.ts': `
import { child } from './kind.js';
process.send?.(child + ' ' + process.argv.slice(2).join());`,
      'kind.ts': "export const thread: string = 'thread'; export const child: string = 'child';",
      'folder/beside': '',
      'js.mjs': "process.send('js ' + process.execArgv.length);",
    });
    const { failures, descriptors } = await executorFor(project).load(
      filesOf(project, 'a.eval.ts'),
    );
    expect(failures).to.deep.equal([]);
    const [found] = descriptors;
    const all = ['thread inner', 'inner', 'plain', 'child argument', 'child ', 'js 0'];
    expect(found?.labels).to.have.members(all);
  });

  it('lists the modules and packages of the files, also where their code is hashed', async () => {
    const project = new Project({
      'a.eval.ts': `import './lib.ts';\n${good}`,
      'lib.ts': `import 'words'; export {};`,
      'node_modules/words/package.json':
        '{ "name": "words", "version": "2.0.0", "dependencies": { "more": "*" } }',
      'node_modules/words/index.js': '',
      'node_modules/more/package.json': '{ "name": "more", "version": "1.0.0" }',
    });
    const executor = executorFor(project, { listsModules: true });
    const { modules, code } = await executor.load(filesOf(project, 'a.eval.ts'), {
      withCode: true,
    });
    expect(code).to.be.a('string');
    expect(modules?.files).to.have.members(['a.eval.ts', 'lib.ts']);
    expect(modules?.packages).to.deep.equal(['more@1.0.0', 'words@2.0.0']);
  });

  it('gives up values that take for ever to read, after the deadline, and says which', async () => {
    const project = new Project({
      'a.eval.ts': good,
      'endless.eval.ts': `
import { evaluation } from 'assay';
export const a = evaluation({ cases: [{ input: { toJSON() { ${blockForever} } } }] }, () => {});
`,
    });
    const executor = executorFor(project, { importTimeout: 0.7 });
    const { descriptors } = await executor.load(filesOf(project, 'a.eval.ts', 'endless.eval.ts'));
    const ids = descriptors.map((one) => one.id);
    const error = await executor.describe(ids, () => undefined).catch((reason) => reason);
    expect(error).to.have.property('code', 'discovery-failed');
    expect(error.message).to.match(/^Reading the values of .*\.eval\.ts::.* more than 0\.7 s/);
    executor.close();
    expect(await project.processesLeft()).to.deep.equal([]);
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
    await executor.execute([context], work).catch((error: unknown) => {
      failure = error;
    });
    expect(failure).to.be.instanceOf(Error);
    expect((failure as Error).message).to.match(
      /No process can be started for evaluations.*exit code 9/,
    );
    executor.close();
    expect(await project.processesLeft()).to.deep.equal([]);
  });

  it('waits for memory for the next process until its deadline, and then says what is missing', async () => {
    const project = new Project({
      'a.eval.ts': `
import { writeFileSync } from 'node:fs';
import { evaluation } from 'assay';
export const crash = evaluation({}, () => { writeFileSync('full', ''); process.kill(process.pid, 'SIGKILL'); });
export const after = evaluation({}, () => {});
`,
    });
    const warnings: string[] = [];
    const executor = executorFor(project, {
      concurrency: 1,
      shortageDeadlineMs: 1200,
      onWarning: (text) => warnings.push(text),
    });
    const { descriptors } = await executor.load(filesOf(project, 'a.eval.ts'));
    const work = new TaskList(descriptors.map((one) => one.id));
    process.env.NO_MEMORY_FILE = project.path('full');
    const failure = await executor.execute([context], work).catch((reason: unknown) => reason);
    expect(failure).to.include({
      code: 'host-failed',
      message: 'No process can be started for evaluations: there is no memory left',
    });
    expect(warnings).to.deep.equal([
      'No process can be started for evaluations: there is no memory left. assay tries again for 1.2 s.',
    ]);
    expect(work.statuses()).to.deep.equal({ 'a.eval.ts::crash': 'error' });
  });

  it('has ended when there is nothing to do', async () => {
    const project = new Project({ 'a.eval.ts': good });
    const executor = executorFor(project);
    await executor.load(filesOf(project, 'a.eval.ts'));
    await executor.execute([context], new TaskList([]));
  });

  it('gives the tasks of a process that has closed its pipe to another process, and ends it at once', async () => {
    const project = new Project({
      'a.eval.ts': `
import { closeSync } from 'node:fs';
import { evaluation } from 'assay';
export const deaf = evaluation({}, () => closeSync(3));
export const others = evaluation({ cases: Array.from({ length: 150 }, (_, n) => ({ id: String(n) })) }, () => {});
export const last = evaluation({}, () => closeSync(3));
`,
    });
    const executor = executorFor(project, { concurrency: 1 });
    const { descriptors } = await executor.load(filesOf(project, 'a.eval.ts'));
    const ids = descriptors.map((one) => one.id);
    const work = new TaskList(ids, 600);
    await executor.execute([context], work);
    expect(work.statuses()).to.deep.equal(Object.fromEntries(ids.map((id) => [id, 'completed'])));
    const [pid] = project.processes();
    executor.close();
    expect(await project.processesLeft(), `the process ${pid}`).to.deep.equal([]);
  });

  describe('a process that is held', () => {
    const prologue = `
import { execSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { evaluation } from 'assay';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const cases = (count) => Array.from({ length: count }, (_, n) => ({ id: String(n) }));
const calls = (ctx) => appendFileSync('calls', ctx.functionName + (ctx.caseId ?? '') + '\\n');
const neighbours = (count, ms) => evaluation({ cases: cases(count) }, async (ctx) => { calls(ctx); await wait(ms); });
let left = 4;
let quickHaveEnded;
const afterQuick = new Promise((resolve) => { quickHaveEnded = () => setTimeout(resolve, 50); });
export const quick = evaluation({ cases: cases(4) }, async (ctx) => {
  calls(ctx);
  await wait(10);
  left -= 1;
  if (left === 0) quickHaveEnded();
});
// A culprit that runs again is alone in its process.
const untilQuickEnd = () => Promise.race([afterQuick, wait(600)]);
export const slow = neighbours(4, 700);
`;

    async function runHeld(culprit: string) {
      const project = new Project({
        'a.eval.ts': `${prologue}
export const culprit = evaluation({}, ${culprit});
export const later = evaluation({ cases: cases(4) }, (ctx) => calls(ctx));
`,
      });
      const warnings: string[] = [];
      const executor = executorFor(project, {
        concurrency: 9,
        onWarning: (text) => warnings.push(text),
      });
      const { descriptors } = await executor.load(filesOf(project, 'a.eval.ts'));
      const work = new TaskList(
        descriptors.map((one) => one.id),
        2,
      );
      await executor.execute([context], work);
      executor.close();
      const calls: Record<string, number> = {};
      for (const name of project.read('calls').trim().split('\n')) {
        calls[name] = (calls[name] ?? 0) + 1;
      }
      return { work, warnings, calls };
    }

    function expectOne(calls: Readonly<Record<string, number>>, names: RegExp): void {
      const other = Object.entries(calls).filter(([name, times]) => names.test(name) && times > 1);
      expect(other, 'run more than once').to.deep.equal([]);
    }

    const late = `async (ctx) => { calls(ctx); await untilQuickEnd(); ctx.score("so far", 1); ${blockForever} }`;
    const others = [
      ['at once', `(ctx) => { calls(ctx); ${blockForever} }`],
      ['in a loop', 'async (ctx) => { calls(ctx); await untilQuickEnd(); while (true); }'],
      [
        'in Atomics.wait',
        'async (ctx) => { calls(ctx); await untilQuickEnd(); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000); }',
      ],
      [
        'in a search with a regular expression',
        'async (ctx) => { calls(ctx); await untilQuickEnd(); /^(a+)+$/.test("a".repeat(60) + "b"); }',
      ],
      [
        'in a loop that catches everything',
        'async (ctx) => { calls(ctx); await untilQuickEnd(); for (;;) try { for (;;) JSON.parse("[1]"); } catch {} }',
      ],
    ] as const;
    for (const [how, culprit] of [['later', late] as const, ...fewOf(others, 1)]) {
      it(`by an evaluation that blocks ${how} costs its timeout, and nothing that had finished or that it had produced`, async () => {
        const { work, warnings, calls } = await runHeld(culprit);
        expect(work.finished).to.have.lengthOf(13);
        const id = 'a.eval.ts::culprit';
        expect(work.errorOf(id)).to.match(/^timed out after 2 s and held its process/);
        expect(work.errorOf(id), 'says where').to.match(/a\.eval\.ts:\d+/);
        const errors = work.finished.filter(({ outcome }) => outcome.status === 'error');
        expect(errors).to.have.lengthOf(1);
        const produced = culprit === late ? [{ key: 'so far', value: 1 }] : [];
        expect(errors[0]?.outcome.scores).to.deep.equal(produced);
        // In the turn in which it blocks at once, nothing else can have finished.
        expectOne(calls, how === 'at once' ? /culprit|later/ : /culprit|quick|later/);
        const again = Object.values(calls).filter((times) => times > 1).length;
        if (again === 0) return;
        expect(warnings.join('\n')).to.match(
          new RegExp(
            `culprit did not end in time, so its process was killed.*${again} evaluations? .* \\d+(\\.\\d)? s`,
            's',
          ),
        );
      }).timeout(60_000);
    }

    it('by a program that it waits for has each one that was running run again by itself', async () => {
      const { work, warnings, calls } = await runHeld(
        'async (ctx) => { calls(ctx); await untilQuickEnd(); execSync("sleep 60"); }',
      );
      expect(work.finished).to.have.lengthOf(13);
      const errors = work.finished.filter(({ outcome }) => outcome.status === 'error');
      expect(errors.map(({ id }) => id)).to.deep.equal(['a.eval.ts::culprit']);
      expect(work.errorOf('a.eval.ts::culprit')).to.match(/^timed out after 2 s/);
      expectOne(calls, /quick|later/);
      expect(warnings.join('\n')).to.match(
        /A process that ran 5 evaluations ended; each runs again in its own process.* \d+(\.\d)? s/s,
      );
    }).timeout(60_000);

    it('lets a loop end that looks at its signal, and runs nothing again', async () => {
      const { work, calls } = await runHeld(
        'async (ctx) => { calls(ctx); await untilQuickEnd(); const { signal } = ctx; while (!signal.aborted) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5); }',
      );
      expect(work.errorOf('a.eval.ts::culprit')).to.match(/^timed out after 2 s/);
      expectOne(calls, /./);
    }).timeout(60_000);
  });
});
