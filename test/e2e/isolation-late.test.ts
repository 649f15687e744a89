import { expect } from 'chai';
import { Project } from '../helpers/project.js';

describe('a regrade', () => {
  const evals = (...bodies: readonly string[]) => `
import { evaluation } from 'assay';
const target = (ctx) => { console.log('target said'); ctx.traceData.messages = [{ role: 'user' }]; return 'out'; };
export const agents = [${bodies.map((body, at) => `evaluation({ name: '${at}', target }, ${body})`)}];
`;

  it('keeps what the target printed and traced, also when it takes its process with it', async () => {
    const project = new Project({
      'a.eval.ts': evals("() => console.log('first grade')", '() => {}'),
    });
    await project.run();
    project.write('a.eval.ts', evals("() => console.log('second grade')", '() => process.abort()'));
    const { result } = await project.run(['--regrade', 'latest']);
    const trace = JSON.stringify(result('0').trace_data);
    expect(trace).to.include('target said').and.include('second grade').and.include('messages');
    expect(result('1')).to.include({ status: 'error', output: 'out' });
    expect(result('1').trace_data).to.have.property('messages');
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
    await project.run(['-c', '5', '--workers', '4']);
    let now = 0;
    let most = 0;
    for (const moment of project.read('moments').trim().split('\n')) {
      now += moment === '+' ? 1 : -1;
      most = Math.max(most, now);
    }
    expect(most).to.equal(5);
  });
});
