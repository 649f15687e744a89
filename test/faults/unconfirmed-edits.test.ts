import { rmSync } from 'node:fs';
import { expect } from 'chai';
import { endServing, serve } from '../e2e/serve-process.js';
import { Project, removeProjects } from '../helpers/project.js';
import { faultText, makeFaulty } from './faulty-process.js';

const source = `
import { evaluation } from 'assay';
export const row = evaluation({ target: () => 'fine' }, (ctx) => ctx.check('same', true));
`;

async function send(url: string, method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape are looked into
  return { status: response.status, body: (await response.json()) as any };
}

describe('a disk that does not confirm what was written', () => {
  afterEach(async () => {
    await endServing();
    removeProjects();
  });

  // The first change of an edit is the line, the second the wait for the disk.
  for (const { kind, status } of [
    { kind: 'enospc', status: 507 },
    { kind: 'eio', status: 500 },
  ] as const) {
    it(`(${kind}) is told as that: the change is made, and can be confirmed later`, async () => {
      const project = new Project({ 'a.eval.ts': source });
      const { run } = await project.run();
      const file = project.path('fault.txt');
      const { node, env } = makeFaulty({ below: project.path('.assay'), file });
      const serving = await serve(project, ['--run', run.run_id], env, { node });
      const path = '/api/runs/latest/results/0';
      const note = { result: { annotation: 'seen' } };

      project.write('fault.txt', faultText(kind, 2, 'results.jsonl'));
      const edit = await send(serving.url, 'PATCH', path, note);
      expect(edit.status, JSON.stringify(edit.body)).to.equal(status);
      expect(edit.body.detail)
        .to.match(/^The change is made, but the disk does not confirm it: /)
        .and.to.include('may be lost in a power failure')
        .and.to.include('make the same change again');
      rmSync(file);
      const read = await send(serving.url, 'GET', path);
      expect(read.body.result.result.annotation).to.equal('seen');

      // Another text, so that counting starts again.
      project.write('fault.txt', `${faultText(kind, 2, 'results.jsonl')}\n`);
      const rename = await send(serving.url, 'PATCH', `/api/runs/${run.run_id}`, { run_name: 'b' });
      expect(rename.status).to.equal(status);
      expect(rename.body.detail).to.match(/^The change is made/);
      rmSync(file);

      const again = await send(serving.url, 'PATCH', path, note);
      expect([again.status, again.body.result.result.correction_history.length]).to.deep.equal([
        200, 1,
      ]);
      const fresh = (await project.exported()).run;
      expect(fresh.run_name).to.equal('b');
      expect(fresh.results[0]?.result.annotation).to.equal('seen');
    });
  }
});
