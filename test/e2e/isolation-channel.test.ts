import { expect } from 'chai';
import { Project } from '../helpers/project.js';
import { fewOf } from '../helpers/rounds.js';

const prologue = `
import { AsyncLocalStorage } from 'node:async_hooks';
import fs, { closeSync, writeSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { evaluation } from 'assay';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const say = (message) => writeSync(4, (typeof message === 'string' ? message : JSON.stringify([message])) + '\\n');
const outcome = { status: 'completed', output: 'forged', scores: [{ key: 'forged', passed: true }], error: null, latency: 0, trace_data: {}, regradable: false };
const neighbours = (name) => evaluation(
  { name, cases: Array.from({ length: 6 }, (_, n) => ({ id: String(n) })) },
  async (ctx) => { await wait(40); ctx.output = 'fine'; },
);
export const first = neighbours('first');
`;
const epilogue = `
export const last = neighbours('last');
`;

interface Forgery {
  readonly name: string;
  readonly source: string;
  /** What becomes of the evaluation that does it. */
  readonly own: { readonly status: string; readonly error?: RegExp };
}

const completed = { status: 'completed' };

const forgeries: readonly Forgery[] = [
  {
    name: 'garbage',
    source: `() => {
      for (const line of ['', '{', 'null', '[]', '"text"', '{}', '{"type":"nothing"}', '[{"type":"nothing"},[],null]', '\\u0000\\u0001', '🙂', 'x'.repeat(1e6)]) say(line);
      writeSync(4, Buffer.from([0xff, 0xfe, 10, 0xc3, 10]));
    }`,
    own: completed,
  },
  {
    name: 'results of evaluations that do not exist',
    source: `() => {
      for (const task of [-1, 9999, 1e300, 0.5, null, 'a', {}, '__proto__']) say({ type: 'finished', task, outcome, lingering: false });
      say({ type: 'started', tasks: [9999, -1] });
      say({ type: 'postponed', tasks: [9999] });
      say({ type: 'recalled', tasks: [9999] });
      say({ type: 'released', task: 9999 });
      say({ type: 'log', task: 9999, stream: 'stdout', text: 'forged' });
    }`,
    own: completed,
  },
  {
    name: 'messages of wrong shapes',
    source: `() => {
      say({ type: 'started', tasks: 'all' });
      say({ type: 'started' });
      say({ type: 'recalled', tasks: [null] });
      say({ type: 'log', task: 1, stream: 'stdlog', text: 3 });
      say({ type: 'warning', text: {} });
      say({ type: 'described', values: [{ id: 3 }], last: true });
      say({ type: 'described', values: [], last: true });
      say({ type: 'importing', file: 7 });
      say({ type: 'imported', file: 'x', group: { cases: [{}] } });
      say({ type: 'loaded' });
      say({ type: 'import-failed', file: 'x.eval.ts', message: 'forged' });
    }`,
    own: completed,
  },
  {
    name: 'results of all evaluations',
    source: `async () => {
      for (let task = 0; task < 13; task += 1) say({ type: 'finished', task, outcome, lingering: false });
      await wait(20);
    }`,
    own: completed,
  },
  {
    name: 'what all evaluations would do',
    source: `async () => {
      const tasks = Array.from({ length: 13 }, (_, task) => task);
      say({ type: 'recalled', tasks });
      say({ type: 'postponed', tasks });
      for (const task of tasks) say({ type: 'held', task });
      await wait(20);
    }`,
    own: completed,
  },
  { name: 'half a line', source: `() => { writeSync(4, '[{"type":"finished"'); }`, own: completed },
  {
    name: 'a line of 200 MB',
    source: `async () => {
      const chunk = Buffer.alloc(1e6, 120);
      for (let n = 0; n < 200; n += 1) {
        for (let at = 0; at < chunk.length; ) {
          try { at += writeSync(4, chunk, at); } catch { await wait(1); }
        }
      }
    }`,
    own: { status: 'error', error: /more than 96 MiB/ },
  },
  {
    name: 'nothing any more, because the channel is closed',
    source: `() => { closeSync(4); }`,
    own: { status: 'error', error: /the channel to assay was closed \(EBADF\)/ },
  },
  {
    name: 'nothing any more, because the channel is closed after a while',
    source: `async () => { await wait(20); closeSync(4); await wait(20); }`,
    own: { status: 'error', error: /the channel to assay was closed \(EBADF\)/ },
  },
  {
    name: 'nothing more to hear, because the runner’s pipe is closed',
    source: `async () => { closeSync(3); await wait(20); }`,
    own: { status: 'either' },
  },
];

/** What one evaluation can change for all others of its process. */
const changes: readonly string[] = [
  `JSON.stringify = () => '"forged"';`,
  `JSON.parse = () => ({ type: 'end' });`,
  `AsyncLocalStorage.prototype.run = () => { throw new Error('forged'); };`,
  `AsyncLocalStorage.prototype.getStore = () => undefined;`,
  `AsyncLocalStorage.prototype._enable = () => { throw new Error('forged'); };`,
  `performance.now = () => 1e12;`,
  `performance.now = () => { throw new Error('forged'); };`,
  `Date.now = () => Number.NaN; Date.prototype.toISOString = () => { throw new Error('forged'); };`,
  `globalThis.setImmediate = () => {}; globalThis.queueMicrotask = () => {}; process.nextTick = () => {};`,
  `globalThis.clearTimeout = () => { throw new Error('forged'); };`,
  `Buffer.from = () => Buffer.alloc(5); Buffer.byteLength = () => 0; Buffer.concat = () => Buffer.alloc(5);`,
  `fs.writeSync = () => 1; syncBuiltinESMExports();`,
];

describe('an evaluation that changes what all code of its process uses', () => {
  it('harms no result of the others', async () => {
    await Promise.all(
      fewOf(changes, 2).map(async (change) => {
        const project = new Project({
          'changes.eval.ts': `${prologue}
export const culprit = evaluation({}, () => { ${change} });
export const last = evaluation(
  { cases: Array.from({ length: 6 }, (_, n) => ({ id: String(n) })) },
  async (ctx) => { console.log('said'); await wait(40); ctx.score('ok', true); ctx.output = { text: 'fine' }; },
);
export const endless = evaluation({ timeout: 0.3 }, () => new Promise(() => {}));`,
        });
        const { run, result, code } = await project.run(['-c', '3']);
        expect(code, change).to.equal(0);
        expect(result('endless').error, change).to.match(/^timed out after 0.3 s in its body/);
        const last = run.results.filter((row) => row.function.startsWith('last'));
        expect(last, change).to.have.lengthOf(6);
        for (const { result: one } of last) {
          expect(one.error, change).to.equal(null);
          expect(one.output, change).to.deep.equal({ text: 'fine' });
          expect(one.scores, change).to.deep.equal([{ key: 'ok', passed: true }]);
          expect(one.latency, change).to.be.within(0.03, 15);
          expect(JSON.stringify(one.trace_data), change).to.include('said');
        }
        expect(await project.processesLeft(), change).to.deep.equal([]);
      }),
    );
  }).timeout(180_000);
});

describe('an evaluation that writes into the channel to the runner', () => {
  it('harms nobody else', async () => {
    await Promise.all(
      fewOf(forgeries, 2).map(async ({ name, source, own }) => {
        const project = new Project({
          'channel.eval.ts': `${prologue}export const culprit = evaluation({}, ${source});${epilogue}`,
        });
        // Nothing waits for this timeout, which is longer than that of the test.
        const { run, result, code } = await project.run(['-c', '3', '--timeout', '600']);
        expect(code, name).to.equal(0);
        expect(run.results, name).to.have.lengthOf(13);
        if (own.status !== 'either') expect(result('culprit').status, name).to.equal(own.status);
        if (own.error !== undefined) expect(result('culprit').error, name).to.match(own.error);
        const fine = run.results.filter((row) => row.result.output === 'fine');
        expect(fine, name).to.have.lengthOf(12);
        const text = JSON.stringify(run.results.filter((row) => row.function !== 'culprit'));
        expect(text, name).not.to.include('forged"');
        expect(await project.processesLeft(), name).to.deep.equal([]);
      }),
    );
  }).timeout(240_000);
});
