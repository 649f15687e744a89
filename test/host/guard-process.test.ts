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
  onStray: (thrown) => { tell('stray', thrown instanceof Error ? thrown.message : thrown); strayed(); },
});
let strayed = () => {};
const hasStrayed = () => new Promise((resolve) => { strayed = resolve; });
const attempt = async (id, run, onEnd = () => {}) => {
  const one = new Attempt({ task: 1, id, timeout: 1 });
  one.onEnd(({ reason, error }) => { tell('interrupted', id, reason, error?.message ?? error); onEnd(); });
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
  let events: readonly unknown[];
  let ended: Guarded;
  const of = (...names: readonly string[]) =>
    events.filter((event) => names.includes((event as string[])[1] ?? ''));

  before(async () => {
    ended = await guarded(`
process.stdout.write('outside\\n');
let printed;
const isPrinted = new Promise((resolve) => { printed = resolve; });
await Promise.all([
  attempt('a', async () => { console.log('one'); await isPrinted; process.stdout.write(Buffer.from('two')); }),
  attempt('b', async () => { await wait(1); console.error('three'); printed(); }),
]);

await attempt('callbacks', async () => {
  let called = false;
  const done = new Promise((resolve) => {
    tell('returned', 'callbacks', process.stdout.write('68690a', 'hex', () => { called = true; resolve(); }));
  });
  tell('called', 'callbacks', called);
  await done;
  tell('called', 'callbacks', called);
  await new Promise((resolve) => process.stdout.write('x', resolve));
  await new Promise((resolve) => process.stdout.write(new Uint8Array([121]), 'utf8', resolve));
});

const euro = Buffer.from('€');
await attempt('pieces', async () => {
  process.stdout.write(euro.subarray(0, 1));
  await wait(1);
  process.stdout.write(euro.subarray(1));
});

/** Waits until what came from it has interrupted the attempt. */
const interrupted = (id, run) => {
  let end;
  const hasEnded = new Promise((resolve) => { end = resolve; });
  return attempt(id, async () => { run(); await hasEnded; }, () => end());
};
await attempt('exit', () => { process.exit(3); tell('still here', 'exit'); });
await interrupted('timer', () => setTimeout(() => { throw new Error('in a timer'); }, 1));
await interrupted('rejection', () => { Promise.reject(new Error('nobody cared')); });
await interrupted('exit in a timer', () => setTimeout(() => process.exit(4), 1));

setTimeout(() => { throw new Error('an error'); }, 1);
await hasStrayed();
Promise.reject('a string');
await hasStrayed();
setTimeout(() => process.exit(7), 1);
await hasStrayed();
realExit(5);
`);
    events = ended.events;
  });

  it('gives output to the attempt it came from, and lets the rest through', () => {
    expect(of('a', 'b')).to.deep.equal([
      ['print', 'a', 'stdout', 'one\n'],
      ['print', 'b', 'stderr', 'three\n'],
      ['print', 'a', 'stdout', 'two'],
    ]);
    expect(ended.stdout).to.equal('outside\n');
  });

  it('answers writes as streams do: true, with the callback called later', () => {
    expect(of('callbacks')).to.deep.equal([
      ['print', 'callbacks', 'stdout', 'hi\n'],
      ['returned', 'callbacks', true],
      ['called', 'callbacks', false],
      ['called', 'callbacks', true],
      ['print', 'callbacks', 'stdout', 'x'],
      ['print', 'callbacks', 'stdout', 'y'],
    ]);
  });

  it('puts characters together that are cut between two pieces', () => {
    const text = of('pieces').map((event) => (event as string[])[3]);
    expect(text.join('')).to.equal('€');
  });

  it('charges exits, exceptions and rejections to the attempt they come from, and runs no code after an exit', () => {
    expect(of('exit', 'timer', 'rejection', 'exit in a timer').filter(isInterrupted)).to.deep.equal(
      [
        ['interrupted', 'exit', 'exit', 'called process.exit(3)'],
        ['interrupted', 'timer', 'uncaught', 'in a timer'],
        ['interrupted', 'rejection', 'uncaught', 'nobody cared'],
        ['interrupted', 'exit in a timer', 'exit', 'called process.exit(4)'],
      ],
    );
    expect(events).not.to.deep.include(['still here', 'exit']);
  });

  it('tells of what belongs to no attempt', () => {
    expect(events.filter((event) => (event as string[])[0] === 'stray')).to.deep.equal([
      ['stray', 'an error'],
      ['stray', 'a string'],
      ['stray', 'called process.exit(7)'],
    ]);
    expect(ended.code).to.equal(5);
  });
});

function isInterrupted(event: unknown): boolean {
  return (event as string[])[0] === 'interrupted';
}
