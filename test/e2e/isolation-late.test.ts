import { expect } from 'chai';
import type { RunJson } from '../../src/model/run.js';
import { Project } from '../helpers/project.js';

async function run(project: Project, ...args: string[]): Promise<{ run: RunJson; stderr: string }> {
  const { code, stderr, json } = await project.assay(['run', '--json', ...args]);
  expect(code, stderr).to.equal(0);
  return { run: json(), stderr };
}

describe('what an evaluation does after its end', () => {
  it('is told as a warning that names it: an assertion nobody awaited does not go unseen', async () => {
    const project = new Project({
      'a.eval.ts': `
import assert from 'node:assert/strict';
import { evaluation } from 'assay';
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
export const forgetful = evaluation({}, () => {
  void (async () => { await wait(20); assert.ok(false, 'seen too late'); })();
});
export const longer = evaluation({}, () => wait(300));
`,
    });
    const { stderr } = await run(project);
    expect(stderr).to.match(/! a\.eval\.ts::forgetful went wrong after it had ended/);
    expect(stderr).to.include('seen too late');
  });

  it('is not told when it was ended from outside', async () => {
    const project = new Project({
      'a.eval.ts': `
import { evaluation } from 'assay';
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
export const slow = evaluation({ timeout: 0.1 }, async () => { await wait(200); throw new Error('too late'); });
export const longer = evaluation({}, () => wait(500));
`,
    });
    const { stderr, run: saved } = await run(project);
    expect(saved.results[0]?.result.error).to.match(/timed out after 0\.1 s/);
    expect(stderr).to.not.include('too late');
  });
});

describe('a regrade', () => {
  const evals = (body: string) => `
import { evaluation } from 'assay';
export const agent = evaluation({
  target: (ctx) => { console.log('target said'); ctx.traceData.messages = [{ role: 'user' }]; return 'out'; },
}, ${body});
`;

  it('keeps what the target printed and traced', async () => {
    const project = new Project({ 'a.eval.ts': evals("() => console.log('first grade')") });
    await run(project);
    project.write('a.eval.ts', evals("() => console.log('second grade')"));
    const { run: saved } = await run(project, '--regrade', 'latest');
    const trace = JSON.stringify(saved.results[0]?.result.trace_data);
    expect(trace).to.include('target said').and.include('second grade').and.include('messages');
  });

  it('keeps the trace also when it takes its process with it', async () => {
    const project = new Project({ 'a.eval.ts': evals('() => {}') });
    await run(project);
    project.write('a.eval.ts', evals('() => process.abort()'));
    const { run: saved } = await run(project, '--regrade', 'latest');
    const result = saved.results[0]?.result;
    expect(result?.status).to.equal('error');
    expect(result?.output).to.equal('out');
    expect(result?.trace_data).to.have.property('messages');
  });
});

describe('several processes', () => {
  it('together run as many at a time as the concurrency says', async () => {
    const project = new Project({
      'a.eval.ts': `
import { appendFileSync, readFileSync } from 'node:fs';
import { evaluation } from 'assay';
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const begun = () => readFileSync('moments', 'utf8').split('+').length - 1;
export const busy = evaluation({ cases: Array.from({ length: 24 }, () => ({})) }, async () => {
  appendFileSync('moments', '+\\n');
  while (begun() < 5) await wait(10);
  await wait(30);
  appendFileSync('moments', '-\\n');
});
`,
    });
    await run(project, '-c', '5', '--workers', '4');
    let now = 0;
    let most = 0;
    for (const moment of project.read('moments').trim().split('\n')) {
      now += moment === '+' ? 1 : -1;
      most = Math.max(most, now);
    }
    expect(most).to.equal(5);
  });
});
