import { rmSync } from 'node:fs';
import { expect } from 'chai';
import { send, serve } from '../e2e/serve-process.js';
import { Project } from '../helpers/project.js';
import { faultText, makeFaulty } from './faulty-process.js';

const source = `
import { evaluation } from 'assay';
export const row = evaluation({ target: () => 'fine' }, (ctx) => ctx.check('same', true));
`;

const unconfirmed =
  /^The change is made, but the disk does not confirm it: .*may be lost in a power failure.*make the same change again/;

describe('an edit over HTTP whose files fail', () => {
  it('is answered 507 or 500 that says whether it was made; the result is as it says, and a second try works', async () => {
    const project = new Project({ 'a.eval.ts': source });
    const { run } = await project.run();
    const file = project.path('fault.txt');
    const { node, env } = makeFaulty({ below: project.path('.assay'), file });
    const { url, stderr } = await serve(project, ['--run', run.run_id], env, { node });
    const path = '/api/runs/latest/results/0';
    const edits: string[] = [];
    for (const [kind, status, failed] of [
      ['enospc', 507, /no room left.*Make room/],
      ['eio', 500, /Cannot use .*Check that/],
    ] as const) {
      // The first change of an edit is the line, the second the wait for the disk.
      for (const [at, says] of [
        [1, failed],
        [2, unconfirmed],
      ] as const) {
        const annotation = `${kind} at ${at}`;
        const before = edits.at(-1) ?? '';
        project.write('fault.txt', faultText(kind, at, 'results.jsonl'));
        const edit = await send(url, 'PATCH', path, { result: { annotation } });
        expect(edit.status, annotation).to.equal(status);
        expect(edit.body.detail, annotation).to.match(says);
        rmSync(file);
        const read = await send(url, 'GET', path);
        expect(read.body.result.result.annotation).to.equal(at === 1 ? before : annotation);
        const again = await send(url, 'PATCH', path, { result: { annotation } });
        expect(again.status, annotation).to.equal(200);
        edits.push(annotation);
        const history: { after: string }[] = again.body.result.result.correction_history;
        expect(history.map(({ after }) => after)).to.deep.equal(edits);
      }
      project.write('fault.txt', faultText(kind, 2, 'results.jsonl'));
      const rename = { run_name: `after-${kind}` };
      const renamed = await send(url, 'PATCH', `/api/runs/${run.run_id}`, rename);
      expect(renamed.status, kind).to.equal(status);
      expect(renamed.body.detail).to.match(unconfirmed);
      rmSync(file);
      const fresh = (await project.exported()).run;
      expect(fresh.run_name).to.equal(rename.run_name);
      expect(fresh.results[0]?.result.annotation).to.equal(edits.at(-1));
    }
    expect(stderr()).not.to.match(/^\s+at /m);
  });
});
