import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import type { RunEvent } from '../../../dist/runner/events.js';
import type { Started } from '../../../dist/runner/execution/begin-execution.js';
import { openRunner } from '../../../dist/runner/open-runner.js';
import { startRun } from '../../../dist/runner/start-run.js';
import { Project, removeProjects, until } from '../../helpers/project.js';

/** Executions that a test that fails would leave running. */
const all: Started[] = [];

interface Options {
  readonly concurrency?: number;
  readonly workers?: number;
  readonly timeout?: number;
}

interface Watched {
  readonly project: Project;
  readonly started: Started;
  readonly events: RunEvent[];
  /** Ids of what has been told to be finished, in that order. */
  finished(): string[];
  /** Indices of what has been told to have started. */
  begun(): number[];
}

async function start(source: string, options: Options = {}): Promise<Watched> {
  const project = new Project({ 'a.eval.ts': source });
  const { PATH, HOME } = process.env;
  const events: RunEvent[] = [];
  const runner = await openRunner({
    cwd: project.folder,
    env: { PATH, HOME, PROJECT_UNDER_TEST: project.folder },
    addedEnv: {},
    ...project.ownFolders,
    onEvent: (event) => events.push(event),
  });
  const started = await startRun(runner, {
    request: { paths: [], ignore: [], datasets: [], labels: [] },
    sessionName: 's',
    config: {
      name: 'default',
      concurrency: options.concurrency ?? 2,
      timeout: { base: options.timeout ?? 60 },
      trials: { base: 1 },
      params: {},
      calls: { capture: 'full' },
    },
    workers: options.workers ?? 1,
    streamLogs: false,
  });
  all.push(started);
  return {
    project,
    started,
    events,
    finished: () =>
      events.flatMap((event) =>
        event.type === 'finished' ? event.results.map(({ id }) => id) : [],
      ),
    begun: () => events.flatMap((event) => (event.type === 'started' ? event.indices : [])),
  };
}

function statuses({ started }: Watched): readonly string[] {
  const { run } = started.owner;
  return run.rows.map((_, index) => run.entry(index).result.status);
}

async function close({ started, project }: Watched): Promise<void> {
  await started.owner.run.close();
  expect(await project.processesLeft(), 'processes').to.deep.equal([]);
}

const prologue = `
import { appendFileSync, existsSync } from 'node:fs';
import { evaluation } from 'assay';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const started = (name) => appendFileSync('started.txt', name + '\\n');
`;
const steady = `${prologue}
export const steady = evaluation(
  { cases: Array.from({ length: 40 }, (_, n) => ({ id: String(n) })) },
  async (ctx) => { started(ctx.caseId); await wait(50); ctx.output = 'done'; },
);
`;

function startedIn(project: Project): number {
  return project.has('started.txt') ? project.read('started.txt').trim().split('\n').length : 0;
}

describe('Execution', () => {
  afterEach(async () => {
    for (const { execution, finished } of all.splice(0)) {
      execution.stop();
      await finished.catch(() => undefined);
    }
    removeProjects();
  });

  it('tells of a start soon, also when nothing else is going on', async () => {
    const watched = await start(
      `${prologue}
export const short = evaluation({}, () => wait(30));
export const long = evaluation({}, async () => { while (!existsSync('go')) await wait(10); });
`,
      { concurrency: 1 },
    );
    // Of the short one, a start that is read together with the end is not told.
    await until(() => watched.begun().includes(1), 'the start of the long one');
    expect(statuses(watched)).to.deep.equal(['completed', 'running']);
    watched.project.write('go', '');
    await watched.started.finished;
    await close(watched);
  });

  it('starts nothing after a pause, while what runs finishes, with two processes', async () => {
    const watched = await start(steady, { concurrency: 4, workers: 2 });
    const { execution, finished } = watched.started;
    await until(() => watched.finished().length >= 4, 'some results');
    await execution.pause();
    const startedThen = startedIn(watched.project);
    expect(execution.isPaused).to.equal(true);
    await until(() => watched.finished().length === startedThen, 'what runs to finish');
    await delay(200);
    expect(startedIn(watched.project), 'started').to.equal(startedThen);
    expect(watched.finished(), 'finished').to.have.lengthOf(startedThen);
    expect(statuses(watched)).not.to.include('running');
    expect(startedThen).to.be.below(40);
    expect(watched.events.filter(({ type }) => type === 'paused')).to.have.lengthOf(1);

    await execution.pause();
    execution.resume();
    expect(execution.isPaused).to.equal(false);
    expect(await finished).to.equal('finished');
    expect(watched.finished()).to.have.lengthOf(40);
    expect(new Set(watched.finished())).to.have.property('size', 40);
    expect(startedIn(watched.project), 'each once').to.equal(40);
    expect(watched.started.owner.run.summary().totals.total_passed).to.equal(40);
    await close(watched);
  });

  it('goes on when pause and resume follow each other at once', async () => {
    const watched = await start(steady, { concurrency: 4 });
    const { execution, finished } = watched.started;
    for (let n = 0; n < 10; n += 1) {
      const paused = execution.pause();
      if (n % 2 === 0) await paused;
      execution.resume();
      await delay(10);
    }
    expect(await finished).to.equal('finished');
    expect(startedIn(watched.project)).to.equal(40);
    expect(new Set(watched.finished())).to.have.property('size', 40);
    await close(watched);
  });

  it('pauses also while something never waits', async () => {
    const watched = await start(
      `${prologue}
export const busy = evaluation(
  { cases: Array.from({ length: 300 }, (_, n) => ({ id: String(n) })) },
  () => { started('x'); const end = Date.now() + 10; while (Date.now() < end); },
);
`,
      { concurrency: 2 },
    );
    const { execution, finished } = watched.started;
    await until(() => watched.finished().length >= 4, 'some results');
    await execution.pause();
    const startedThen = startedIn(watched.project);
    await delay(300);
    expect(startedIn(watched.project)).to.equal(startedThen);
    expect(startedThen).to.be.below(250);
    execution.stop();
    expect(await finished).to.equal('stopped');
    await close(watched);
  });

  it('shows as running only what runs, when it is paused while slow starts follow each other', async () => {
    const watched = await start(
      `${prologue}
export const slow = evaluation({ cases: Array.from({ length: 12 }, (_, n) => ({ id: String(n) })) }, async (ctx) => {
  started(ctx.caseId);
  for (const end = Date.now() + 100; Date.now() < end; );
  while (!existsSync('go')) await wait(10);
});`,
      { concurrency: 12 },
    );
    const { execution, finished } = watched.started;
    await until(() => startedIn(watched.project) >= 2, 'some starts');
    await execution.pause();
    const begun = startedIn(watched.project);
    expect(begun).to.be.below(12);
    const running = () => statuses(watched).filter((status) => status === 'running').length;
    await until(() => running() === begun, 'the others to be pending again');
    watched.project.write('go', '');
    execution.resume();
    expect(await finished).to.equal('finished');
    expect(startedIn(watched.project), 'each once').to.equal(12);
    await close(watched);
  });
});
