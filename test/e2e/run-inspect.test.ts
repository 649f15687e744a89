import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { Debugger } from '../helpers/debugger.js';
import { Project, type Running, until } from '../helpers/project.js';

/** Lines that compilation removes come before those that a debugger stops at. */
const app = `
interface Question {
  readonly text: string;
}

/** Answers. */
export function answer(question: Question): string {
  const loud: string = question.text.toUpperCase();
  return loud;
}
`;
const lineOfReturn = 9;
const evals = `
import { answer } from './app.js';
import { evaluation } from 'assay';

type Loud = string;

export const faq = evaluation({
  cases: ['five', 'six'].map((text) => ({ id: text, input: { text }, reference: text.toUpperCase() as Loud })),
  target: ({ input }) => answer(input),
}, ({ output, reference }) => ({ passed: output === reference }));

// All that it imports is loaded.
debugger;
`;
const address = /listening on (ws:\/\/\S+)/;
/** Milliseconds after a deadline at which a process is gone that has missed it, and some. */
const goneMs = 2500;

async function attached(running: Running): Promise<Debugger> {
  await running.said(address);
  return Debugger.attach(address.exec(running.stderr())?.[1] ?? '');
}

describe('assay run --inspect-brk', () => {
  for (const [what, type, name] of [
    ['ES modules', 'module', 'faq.eval.ts'],
    ['CommonJS', 'commonjs', 'faq.eval.ts'],
    ['JavaScript', 'module', 'faq.eval.mjs'],
  ] as const) {
    it(`stops where the eval file begins, then at a line of TypeScript, for longer than the timeout: ${what}`, async () => {
      const isScript = name.endsWith('.mjs');
      const project = new Project({
        'package.json': JSON.stringify({ type }),
        'app.ts': app,
        [name]: isScript ? evals.replace(/type .*/, '').replace(' as Loud', '') : evals,
      });
      const running = project.start([
        'run',
        '--inspect-brk=0',
        `${name}::faq[five]`,
        '--timeout',
        '0.1',
      ]);
      const tool = await attached(running);
      await tool.send('Runtime.runIfWaitingForDebugger');
      const begin = await tool.stopped();
      expect(begin.file).to.equal(pathToFileURL(project.path(name)).href);
      expect(begin.line).to.be.within(1, 3);
      await tool.resume();
      await tool.stopped();
      await tool.breakAt(project.path('app.ts'), lineOfReturn);
      await tool.resume();
      expect(await tool.stopped()).to.deep.equal({
        file: pathToFileURL(project.path('app.ts')).href,
        line: lineOfReturn,
      });
      expect(await tool.valueOf('loud')).to.equal('FIVE');
      await delay(goneMs);
      await tool.resume();
      tool.close();
      const { code, stderr } = await running.ended;
      expect(stderr).to.match(/ 1 case · 1 passed · 0 failed · 0 errors/);
      expect(stderr.match(/listening on/g)).to.have.length(1);
      expect(code).to.equal(0);
    });
  }

  it('ends at once when it is interrupted where it has stopped, or where it waits', async () => {
    for (const isAttached of [false, true]) {
      const project = new Project({ 'app.ts': app, 'faq.eval.ts': evals });
      const running = project.start(['run', '--inspect-brk=0', 'faq.eval.ts']);
      await running.said(address);
      if (isAttached) {
        const tool = await attached(running);
        await tool.send('Runtime.runIfWaitingForDebugger');
        await tool.stopped();
      }
      running.child.kill('SIGINT');
      expect((await running.ended).code).to.equal(130);
      expect(await project.processesLeft()).to.deep.equal([]);
    }
  });
});

describe('a debugger in any run', () => {
  it('stops the time of an evaluation, also one that has not come to say that it can connect', async () => {
    // The second blocks its process from before a debugger can connect until it stops.
    for (const wait of [
      'await new Promise((go) => { globalThis.go = go; })',
      'inspector.waitForDebugger()',
    ]) {
      const project = new Project({
        'a.eval.ts': `
import { writeFileSync } from 'node:fs';
import inspector from 'node:inspector';
import { evaluation } from 'assay';
export const waits = evaluation({
  timeout: 2,
  target: async () => {
    inspector.open(0);
    writeFileSync('address', inspector.url());
    ${wait};
    debugger;
    return 'done';
  },
}, ({ output }) => ({ passed: output === 'done' }));
`,
      });
      const running = project.start(['run', 'a.eval.ts']);
      await until(() => project.has('address'), 'the address');
      const tool = await Debugger.attach(project.read('address'));
      await tool.send('Runtime.runIfWaitingForDebugger');
      await tool.send('Runtime.evaluate', { expression: 'globalThis.go?.()' });
      expect((await tool.stopped()).line).to.equal(11);
      await delay(2000 + goneMs);
      await tool.resume();
      tool.close();
      const { stderr } = await running.ended;
      expect(stderr, wait).to.match(/1 passed · 0 failed · 0 errors/);
    }
  });
});
