import { expect } from 'chai';
import { Project } from '../helpers/project.js';

const source = `
import { EventEmitter } from 'node:events';
import { evaluation } from 'assay';

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const neighbours = (name) => evaluation(
  { name, cases: Array.from({ length: 10 }, (_, n) => ({ id: String(n) })) },
  async (ctx) => { await wait(30); ctx.output = process.pid; },
);

export const first = neighbours('first');
export const exitAtOnce = evaluation({}, () => { process.exit(3); });
export const exitZero = evaluation({}, () => { process.exit(0); });
export const exitInTimer = evaluation({}, async () => { setTimeout(() => process.exit(4), 5); await wait(500); });
export const exitInPromise = evaluation({}, () => Promise.resolve().then(() => process.exit(5)));
export const exitInTry = evaluation({}, async () => { try { process.exit(6); } catch {} await wait(100); });
export const exitInTarget = evaluation({ target: () => process.exit(7) });
export const exitInEvaluator = evaluation({ target: () => 'out', evaluators: [() => process.exit(8)] });
export const throwsInTimer = evaluation({}, async () => {
  setTimeout(() => { throw new Error('thrown in a timer'); }, 5);
  await wait(500);
});
export const throwsInImmediate = evaluation({}, async () => {
  setImmediate(() => { throw 'a string, not an error'; });
  await wait(500);
});
export const rejects = evaluation({}, async () => {
  Promise.reject(new Error('nobody caught it'));
  await wait(500);
});
export const rejectsLater = evaluation({}, async () => {
  void wait(5).then(() => { throw new RangeError('too late to catch'); });
  await wait(500);
});
export const emitsError = evaluation({}, async () => {
  const emitter = new EventEmitter();
  setTimeout(() => emitter.emit('error', new Error('no listener')), 5);
  await wait(500);
});
export const last = neighbours('last');
`;

const errors: Readonly<Record<string, RegExp>> = {
  exitAtOnce: /^called process\.exit\(3\)\n.*all\.eval\.ts:12/,
  exitZero: /^called process\.exit\(0\)\n.*all\.eval\.ts:13/,
  exitInTimer: /^called process\.exit\(4\)\n[\s\S]*all\.eval\.ts:14/,
  exitInPromise: /^called process\.exit\(5\)/,
  exitInTry: /^called process\.exit\(6\)/,
  exitInTarget: /^called process\.exit\(7\)/,
  exitInEvaluator: /^called process\.exit\(8\)/,
  throwsInTimer: /^uncaught: Error: thrown in a timer\n[\s\S]*all\.eval\.ts:20/,
  throwsInImmediate: /^uncaught: .*a string, not an error/,
  rejects: /^uncaught: Error: nobody caught it\n[\s\S]*all\.eval\.ts:28/,
  rejectsLater: /^uncaught: RangeError: too late to catch/,
  emitsError: /^uncaught: Error: no listener/,
};

describe('an evaluation that ends or upsets its process', () => {
  it('costs its own result only', async () => {
    const project = new Project({ 'all.eval.ts': source });
    const { run, code, result, statuses } = await project.run(['-c', '100']);
    expect(code).to.equal(0);
    for (const [name, pattern] of Object.entries(errors)) {
      expect(statuses[name], name).to.equal('error');
      expect(result(name).error, name).to.match(pattern);
    }
    const neighbours = run.results.filter((row) => /^(first|last)\[/.test(row.function));
    expect(neighbours).to.have.lengthOf(20);
    expect(neighbours.every((row) => row.result.status === 'completed')).to.equal(true);
    const pids = new Set(neighbours.map((row) => row.result.output));
    expect([...pids], 'the process lives on').to.have.lengthOf(1);
    expect(run.total_errors).to.equal(Object.keys(errors).length);
    expect(result('exitInEvaluator').output).to.equal('out');
    expect(await project.processesLeft()).to.deep.equal([]);
  });

  it('is not charged for what goes wrong after its result, nor for what belongs to none', async () => {
    const project = new Project({
      'late.eval.ts': `
import { existsSync, writeFileSync } from 'node:fs';
import { evaluation } from 'assay';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const stray = setInterval(() => {
  if (!existsSync('begun')) return;
  clearInterval(stray);
  writeFileSync('thrown', '');
  throw new Error('a stray timer');
}, 10);
export const early = evaluation({}, () => { setTimeout(() => { throw new Error('much later'); }, 20); });
// What was ended from outside has said so.
export const timedOut = evaluation({ timeout: 0.1 }, async () => { await wait(200); throw new Error('told before'); });
export const exits = evaluation({}, () => { setTimeout(() => process.exit(9), 20); });
export const slow = evaluation({}, async (ctx) => {
  writeFileSync('begun', '');
  while (!existsSync('thrown')) await wait(10);
  await wait(300);
  ctx.output = 'there';
});
`,
    });
    const { statuses, stderr, code } = await project.run(['-c', '4']);
    const completed = { early: 'completed', exits: 'completed', slow: 'completed' };
    expect(statuses).to.deep.equal({ ...completed, timedOut: 'error' });
    expect(stderr).to.match(/! Error: a stray timer/);
    expect(stderr).to.match(
      /! late\.eval\.ts::early went wrong after it had ended[\s\S]*much later/,
    );
    expect(stderr).to.not.include('told before');
    expect(code).to.equal(0);
  });
});
