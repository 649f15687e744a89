import { expect } from 'chai';
import { serve } from '../e2e/serve-process.js';
import { blockForever } from '../helpers/blocking.js';
import { Project, until } from '../helpers/project.js';

const endless = `
import { writeFileSync } from 'node:fs';
import { evaluation } from 'assay';
const input = { toJSON() { writeFileSync('reading', ''); ${blockForever} } };
export const row = evaluation({ cases: [{ id: 'a', input }] }, () => {});
`;
const looping = `
import { writeFileSync } from 'node:fs';
writeFileSync('importing', '');
${blockForever}
`;
const fine = `
import { evaluation } from 'assay';
export const row = evaluation({}, () => {});
`;

describe('a value that takes for ever to read', () => {
  it('does not keep Ctrl-C from ending the command: nothing is saved, no process is left', async () => {
    const project = new Project({ 'a.eval.ts': endless });
    const running = project.start(['run']);
    await until(() => project.has('reading'), 'the value to be read');
    running.child.kill('SIGINT');
    const { code, stderr } = await running.ended;
    expect(code, stderr).to.equal(130);
    expect(await project.processesLeft()).to.deep.equal([]);
    const { stdout } = await project.assay(['sessions', '--json']);
    expect(JSON.parse(stdout).sessions).to.deep.equal([]);
  });
});

describe('a start that is stopped before it has begun', () => {
  it('leaves no process in the server, also one that is blocked while it imports or reads', async () => {
    const { url, project, child } = await serve({ 'a.eval.ts': fine });
    const post = (path: string) => fetch(`${url}/api/runs/${path}`, { method: 'POST' });
    for (const [source, sign] of [
      [looping, 'importing'],
      [endless, 'reading'],
    ] as const) {
      project.write('a.eval.ts', source);
      const starting = post('rerun');
      await until(() => project.has(sign), 'the loop');
      expect((await post('stop')).status, sign).to.equal(200);
      expect((await starting).status, sign).to.equal(409);
      // The server also imports by itself what has been saved, until something else is.
      project.write('a.eval.ts', fine);
      await until(() => project.processes().length === 1, 'the process to be gone');
      expect(project.processes(), sign).to.deep.equal([child.pid]);
      expect((await fetch(`${url}/api/health`)).status, sign).to.equal(200);
    }
  });
});
