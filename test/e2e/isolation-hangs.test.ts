import { expect } from 'chai';
import { blockForever } from '../helpers/blocking.js';
import { Project } from '../helpers/project.js';

const prologue = `
import { spawn } from 'node:child_process';
import { evaluation } from 'assay';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
`;
/** What it has produced is kept, in which part it was is said, and its late result is dropped. */
const parts = `
const never = ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve));
export const half = evaluation({ timeout: 0.5, target: () => 'half' }, async (ctx) => {
  ctx.score('first', true);
  console.log('so far');
  await never(ctx);
  ctx.output = 'late';
  ctx.score('late', true);
});
export const target = evaluation({ timeout: 0.5, target: never });
export const evaluator = evaluation({ timeout: 0.5, target: () => 1, evaluators: [never] });
`;
/** They are under way until the others have been timed out. */
const neighbours = `
export const neighbours = evaluation(
  { name: 'neighbour', cases: Array.from({ length: 7 }, (_, n) => ({ id: String(n) })) },
  async (ctx) => { await wait(700); ctx.output = process.pid; },
);
`;

/** What lets go of its process, which goes on. */
const lettingGo: Readonly<Record<string, string>> = {
  'never settles': '() => new Promise(() => {})',
  'ignores the signal': 'async () => { for (;;) await wait(50); }',
  'listens to the signal':
    '(ctx) => new Promise((_, reject) => ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason)))',
  'ignores SIGTERM': `async () => { process.on('SIGTERM', () => {}); for (;;) await wait(50); }`,
  'waits for a child': `() => new Promise((resolve) => spawn('sleep', ['1000']).on('exit', resolve))`,
  'waits for a detached child': `() => new Promise((resolve) => spawn('sleep', ['1000'], { detached: true }).on('exit', resolve))`,
  'waits for a child that ignores SIGTERM': `() => new Promise((resolve) => spawn('sh', ['-c', 'trap "" TERM; sleep 1000; sleep 1000']).on('exit', resolve))`,
};

/** What can only be ended with its process; more is tried with the local executor. */
const holding: Readonly<Record<string, string>> = {
  'ignores SIGTERM and blocks': `async () => { process.on('SIGTERM', () => {}); await wait(20); ${blockForever} }`,
  'stops its process': `async () => { await wait(20); process.kill(process.pid, 'SIGSTOP'); await wait(60000); }`,
};

const letsGo = /^timed out after 0\.5 s in its body/;
const holds = /^timed out after 0\.5 s and held its process/;

describe('an evaluation that does not end', () => {
  for (const [what, culprits, error] of [
    ['that lets go of its process', lettingGo, letsGo],
    ['that holds its process', holding, holds],
  ] as const) {
    it(`${what} is over soon after its timeout, and leaves no process`, async () => {
      const sources = Object.entries(culprits).map(
        ([name, source]) => `evaluation({ name: '${name}', timeout: 0.5 }, ${source})`,
      );
      const project = new Project({
        'hang.eval.ts': `${prologue}export const culprits = [${sources}];${error === letsGo ? parts : ''}${neighbours}`,
      });
      const { run, result } = await project.run(['-c', '20']);
      for (const name of Object.keys(culprits)) {
        expect(result(name).status, name).to.equal('error');
        if (name !== 'stops its process') expect(result(name).error, name).to.match(error);
      }
      expect(run.total_errors).to.equal(sources.length + (error === letsGo ? 3 : 0));
      const fine = run.results.filter((row) => row.function.startsWith('neighbour'));
      expect(fine.every((row) => row.result.status === 'completed')).to.equal(true);
      if (error === letsGo) {
        expect(result('half')).to.include({ status: 'error', output: 'half' });
        expect(result('half').scores).to.deep.equal([{ key: 'first', passed: true }]);
        expect(JSON.stringify(result('half').trace_data)).to.include('so far');
        for (const [name, part] of [
          ['target', 'target'],
          ['half', 'body'],
          ['evaluator', 'evaluators'],
        ] as const) {
          expect(result(name).error).to.equal(`timed out after 0.5 s in its ${part}`);
        }
        expect(new Set(fine.map((row) => row.result.output)), 'processes').to.have.property(
          'size',
          1,
        );
      }
      expect(await project.processesLeft()).to.deep.equal([]);
    }).timeout(120_000);
  }
});
