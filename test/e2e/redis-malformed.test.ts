import { setTimeout as delay } from 'node:timers/promises';
import { type Processor, Worker } from 'bullmq';
import { expect } from 'chai';
import { listWorkers } from '../../dist/workers/list-workers.js';
import { openProjectRedis } from '../../dist/workers/open-redis-executors.js';
import { namesOf, type RedisServer } from '../../dist/workers/redis-server.js';
import { Project } from '../helpers/project.js';
import { RedisUnderTest, workHere } from '../helpers/redis.js';

const outcome = {
  status: 'completed',
  output: 'fine',
  scores: [{ key: 'ok', passed: true }],
  error: null,
  latency: 0.1,
  trace_data: {},
  regradable: true,
};
const call = { number: 1, role: 'target', method: 'POST', url: 'http://a.test/', start: 0 };
const model = { provider: 'openai', operation: 'chat' };
const withCall = (change: object) => ({ calls: { texts: [], calls: [{ ...call, ...change }] } });
const deep = JSON.parse(`${'['.repeat(1100)}${']'.repeat(1100)}`);

interface Sent {
  readonly index: number;
  readonly id: string;
}

/** Changes of a good outcome; each makes it malformed. */
const outcomes: readonly object[] = [
  { status: 'done' },
  { output: undefined },
  { output: deep },
  { scores: 'none' },
  { scores: [{ key: 'ok' }] },
  { scores: [{ key: 'ok', value: 'Infinity' }] },
  { scores: [{ key: 'ok', passed: true, source: 'human' }] },
  { scores: [{ key: 'ok', passed: true, more: deep }] },
  { scores: [1, 2].map(() => ({ key: 'ok', passed: true })) },
  { error: 7 },
  { error: 'completed, with an error' },
  { status: 'error', error: null },
  { more: 1 },
  { latency: '1' },
  { startedAt: 1e15 },
  { startedAt: -1 },
  { trace_data: 'text' },
  { metadata: [] },
  { kept: { node: 'x' } },
  { code: '../../etc' },
  { lookups: {} },
  { calls: 'none' },
  withCall({ start: 'now' }),
  withCall({ cost: '5' }),
  withCall({ model_call: { ...model, usage: { input: 'many' } } }),
  withCall({ model_call: { ...model, usage: { input: 1e308, output: 1e308 } } }),
  withCall({ model_call: { ...model, model: 7, usage: {} } }),
];

/** Whole answers to a job of one task. */
const answers: readonly ((sent: Sent) => unknown)[] = [
  ...outcomes.map((change) => (sent: Sent) => good(sent, { ...outcome, ...change })),
  () => 'a text',
  () => 7,
  () => [],
  () => ({}),
  () => ({ stored: 'assay:of:somebody:else' }),
  () => ({ result: 'none', cwd: '/', late: [], waited: {} }),
  (sent) => good({ ...sent, index: sent.index + 1000 }, outcome),
  (sent) => good({ ...sent, id: 'other.eval.ts::x' }, outcome),
  () => null,
];

/** Answers whose results are good, and nothing else is. */
const odd: readonly ((sent: Sent) => unknown)[] = [
  (sent) => ({ ...good(sent, outcome), cwd: 7 }),
  (sent) => ({ ...good(sent, outcome), waited: { gpt: 'long', other: 1e308 } }),
  (sent) => ({ ...good(sent, outcome), late: [{ task: sent.index, calls: 'none' }, 7] }),
  (sent) => ({ ...good(sent, outcome), late: { '0': 1 } }),
];

function good(sent: Sent, of: object) {
  const result = { ...sent, outcome: of };
  return { result, cwd: '/elsewhere', late: [], waited: {} };
}

function reject(): never {
  throw new Error('no GPU\n at last');
}

function rejectOnce(): (sent: Sent) => unknown {
  const seen = new Set<number>();
  return (sent) => {
    if (seen.has(sent.index)) return good(sent, outcome);
    seen.add(sent.index);
    return reject();
  };
}

const total = answers.length + odd.length;

describe('malformed messages on Redis', function () {
  this.timeout(120_000);
  let redis: RedisUnderTest;

  before(async () => {
    redis = await RedisUnderTest.start();
  });

  /** A project of so many cases, and its part of Redis. */
  async function open(name: string, cases: number) {
    const project = new Project({
      'package.json': JSON.stringify({ name, type: 'module' }),
      'a.eval.ts': `
        import { evaluation } from 'assay';
        export const t = evaluation({
          cases: Array.from({ length: ${cases} }, (_, at) => ({ id: 'n' + at })),
          target: () => 1,
          evaluators: [() => ({ key: 'ok', passed: true })],
        });
      `,
    });
    const notes = { lost: '', full: '', onWarning: () => undefined };
    return { project, server: await openProjectRedis(redis.url, project.folder, notes) };
  }

  /** Starts a run; `run` is its id, once Redis has it. */
  async function begin(project: Project, server: RedisServer) {
    const running = project.assay(['run', '--redis', redis.url]);
    for (;;) {
      const run = (await server.client.hkeys(namesOf(server).runs)).find(
        (key) => !key.startsWith('bad-'),
      );
      if (run !== undefined) return { running, run };
      await delay(20);
    }
  }

  /** Answers the jobs of a run in place of a worker. */
  function answer({ client, prefix }: RedisServer, run: string, of: Processor): Worker {
    const options = { connection: client, prefix, skipVersionCheck: true, concurrency: 8 };
    return new Worker(`run-${run}`, of, options);
  }

  it('make errors of their results, which the log has, and never a stack or an endless run', async () => {
    const { project, server } = await open('malformed', total);
    const { runs, toCoordinators, toWorkers, workers } = namesOf(server);
    // None of these stops a run, a worker or a list.
    const hash = async (name: string, ...texts: string[]) => {
      for (const [at, text] of texts.entries()) await server.client.hset(name, `bad-${at}`, text);
    };
    await hash(
      runs,
      'no json',
      '{}',
      '[]',
      'null',
      '{"run":{"runId":"bad-4"},"at":"never"}',
      '{"run":7}',
    );
    await hash(workers, 'no json', '{}', '{"name":"x","at":"never"}');
    expect((await listWorkers(server)).workers).to.deep.equal([]);

    const { running, run } = await begin(project, server);
    const say = (channel: string, message: unknown) =>
      server.client.publish(
        channel,
        typeof message === 'string' ? message : JSON.stringify(message),
      );
    for (const message of [
      'no json',
      [],
      { run },
      { type: 'joined', run, worker: 7, slots: 'many' },
      { type: 'joined', run, worker: 'x', slots: 1e12 },
      { type: 'refused', run, worker: 'x' },
      { type: 'late', run, task: 0, calls: 'none' },
      { type: 'done', run, nonce: 'x', waiting: 'all' },
    ]) {
      await say(toCoordinators, message);
    }
    let answered = 0;
    const worker = answer(server, run, async (job) => {
      await job.updateProgress(answered % 2 === 0 ? 7 : { printed: [{ task: 'x' }, 7] });
      const { task } = job.data;
      const sent = { index: task.task, id: task.id };
      const answer = [...answers, ...odd][sent.index];
      answered += 1;
      return JSON.parse(JSON.stringify(answer?.(sent) ?? null).replaceAll('"Infinity"', '1e999'));
    });
    const { code, stderr } = await running;
    await worker.close(true);
    expect(stderr).to.not.match(/\n\s+at .*:\d+/);
    expect(stderr).to.contain(`${answers.length} errors`);
    expect(stderr.match(/has malformed fields/g)).to.have.lengthOf(odd.length);
    expect(code).to.equal(0);
    expect(answered).to.be.at.least(total);
    const shown = await project.exported('latest');
    expect(shown.stderr).to.not.contain('cannot be read');
    const statuses = shown.run.results.map(({ result }) => result.status);
    expect(statuses).to.deep.equal([...answers.map(() => 'error'), ...odd.map(() => 'completed')]);
    for (const { result } of shown.run.results.slice(0, answers.length)) {
      expect(result.error).to.match(
        /sent (no result of it|a malformed result: (it|its) [^\n]*)\.$/,
      );
    }

    // A worker hears them all and goes on.
    const here = await workHere(project, { url: redis.url });
    for (const message of [
      'no json',
      { type: 'slots', run, slots: 'x' },
      { type: 'stop', run },
      { type: 'opened', run: 7 },
    ]) {
      await say(toWorkers, message);
    }
    const second = await project.assay(['run', '--redis', redis.url, '-c', '1', '--record']);
    expect(second.code, second.stderr).to.equal(0);
    expect(second.stderr).to.contain(`${total} passed`);
    const concurrency = '--concurrency has no effect with --redis: each worker has its own.';
    const record = 'calls are recorded in the checkout of the worker that makes them';
    expect(second.stderr).to.include(concurrency).and.include(record);
    await here.end();
    await server.close();
  });

  for (const [what, cases, reply, code, said] of [
    [
      'rejects all',
      12,
      reject,
      2,
      /^! Workers have failed 5 times .* with: no GPU at last\. These are left out\.\n[^!]*✗ Workers fail at all evaluations\.\n.*--resume/m,
    ],
    [
      'rejects one',
      3,
      (sent) => (sent.index === 1 ? reject() : good(sent, outcome)),
      2,
      /1 result did not come/,
    ],
    [
      'answers nothing well formed',
      3,
      () => ({}),
      2,
      /No worker has sent a well-formed result of 3 evaluations\.\n.*--only errors/,
    ],
    ['rejects what it runs later', 3, rejectOnce(), 0, /3 passed/],
  ] as readonly (readonly [string, number, (sent: Sent) => unknown, number, RegExp])[]) {
    it(`end the run of a worker that ${what}`, async () => {
      const { project, server } = await open(what.replaceAll(' ', '-'), cases);
      const { running, run } = await begin(project, server);
      const worker = answer(server, run, async ({ data: { task } }) =>
        reply({ index: task.task, id: task.id }),
      );
      const ended = await running;
      await worker.close(true);
      expect(ended.stderr + ended.stdout).to.match(said);
      expect(ended.code, ended.stderr).to.equal(code);
      await server.close();
    });
  }
});
