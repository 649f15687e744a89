import { spawn } from 'node:child_process';
import { expect } from 'chai';

const host = new URL('../../dist/host/', import.meta.url);

/** What a guarded process reports, one JSON value a line, and how it ended. */
interface Guarded {
  readonly events: readonly unknown[];
  readonly code: number | null;
  readonly stdout: string;
}

/** Runs code in a guarded process; `attempt(name, function)` runs a function as an attempt. */
function guarded(code: string): Promise<Guarded> {
  const script = `
import { writeSync } from 'node:fs';
import { guardProcess } from ${JSON.stringify(new URL('guard-process.js', host).href)};
import { Attempt, currentScope } from ${JSON.stringify(new URL('attempt/attempt.js', host).href)};
const tell = (...event) => writeSync(3, JSON.stringify(event) + '\\n');
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const realExit = guardProcess({
  onPrint: (attempt, stream, text) => tell('print', attempt.task.id, stream, text),
  onStray: (thrown) => tell('stray', thrown instanceof Error ? thrown.message : thrown),
});
const attempt = async (id, run) => {
  const one = new Attempt({ task: 1, id, timeout: 1 });
  one.onEnd(({ reason, error }) => tell('interrupted', id, reason, error?.message ?? error));
  try { await currentScope.run({ caller: one, role: 'body' }, run); } catch (error) { tell('threw', id, error?.message ?? error); }
};
${code}
`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  let stdout = '';
  let told = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stdio[3]?.on('data', (chunk) => {
    told += chunk;
  });
  return new Promise((resolve) => {
    child.on('close', (code) => {
      const events = told
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as unknown);
      resolve({ events, code, stdout });
    });
  });
}

describe('guardProcess', () => {
  it('gives output to the attempt it came from, and lets the rest through', async () => {
    const { events, stdout } = await guarded(`
process.stdout.write('outside\\n');
let printed;
const isPrinted = new Promise((resolve) => { printed = resolve; });
await Promise.all([
  attempt('a', async () => { console.log('one'); await isPrinted; process.stdout.write(Buffer.from('two')); }),
  attempt('b', async () => { await wait(1); console.error('three'); printed(); }),
]);
`);
    expect(events).to.deep.equal([
      ['print', 'a', 'stdout', 'one\n'],
      ['print', 'b', 'stderr', 'three\n'],
      ['print', 'a', 'stdout', 'two'],
    ]);
    expect(stdout).to.equal('outside\n');
  });

  it('answers writes as streams do: true, with the callback called later', async () => {
    const { events } = await guarded(`
await attempt('a', async () => {
  let called = false;
  const done = new Promise((resolve) => {
    tell('returned', process.stdout.write('68690a', 'hex', () => { called = true; resolve(); }));
  });
  tell('called', called);
  await done;
  tell('called', called);
  await new Promise((resolve) => process.stdout.write('x', resolve));
  await new Promise((resolve) => process.stdout.write(new Uint8Array([121]), 'utf8', resolve));
});
`);
    expect(events).to.deep.equal([
      ['print', 'a', 'stdout', 'hi\n'],
      ['returned', true],
      ['called', false],
      ['called', true],
      ['print', 'a', 'stdout', 'x'],
      ['print', 'a', 'stdout', 'y'],
    ]);
  });

  it('puts characters together that are cut between two pieces', async () => {
    const { events } = await guarded(`
const euro = Buffer.from('€');
await attempt('a', async () => {
  process.stdout.write(euro.subarray(0, 1));
  await wait(1);
  process.stdout.write(euro.subarray(1));
});
`);
    const text = events.map((event) => (event as string[])[3]).join('');
    expect(text).to.equal('€');
  });

  it('charges exits, exceptions and rejections to the attempt they come from', async () => {
    const { events, code } = await guarded(`
await attempt('exit', () => { process.exit(3); });
await attempt('timer', async () => { setTimeout(() => { throw new Error('in a timer'); }, 1); await wait(20); });
await attempt('rejection', async () => { Promise.reject(new Error('nobody cared')); await wait(20); });
await attempt('exit in a timer', async () => { setTimeout(() => process.exit(4), 1); await wait(20); });
tell('alive');
`);
    expect(events).to.deep.include.members([
      ['interrupted', 'exit', 'exit', 'called process.exit(3)'],
      ['interrupted', 'timer', 'uncaught', 'in a timer'],
      ['interrupted', 'rejection', 'uncaught', 'nobody cared'],
      ['interrupted', 'exit in a timer', 'exit', 'called process.exit(4)'],
      ['alive'],
    ]);
    expect(events.filter((event) => (event as string[])[0] === 'stray')).to.deep.equal([]);
    expect(code).to.equal(0);
  });

  it('does not run the code after process.exit', async () => {
    const { events } = await guarded(`
await attempt('a', () => { process.exit(0); tell('still here'); });
`);
    expect(events).not.to.deep.include(['still here']);
  });

  it('tells of what belongs to no attempt', async () => {
    const { events, code } = await guarded(`
setTimeout(() => { throw new Error('stray'); }, 1);
setTimeout(() => Promise.reject('a string'), 5);
setTimeout(() => process.exit(7), 10);
await wait(50);
realExit(5);
`);
    expect(events).to.deep.equal([
      ['stray', 'stray'],
      ['stray', 'a string'],
      ['stray', 'called process.exit(7)'],
    ]);
    expect(code).to.equal(5);
  });
});
