import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { changesBetween, folderState } from '../bad-input/folder-state.js';
import { Project } from '../helpers/project.js';
import { ServedProject } from '../helpers/served-project.js';

const source = `
import { evaluation } from 'assay';
export const row = evaluation(
  { cases: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] },
  (ctx) => { ctx.output = 'output ' + ctx.caseId; },
);
`;
const sessions = '.assay/sessions/default';

/** A run as it was written, and its log. */
async function savedRun(): Promise<{ project: Project; runId: string; log: Buffer }> {
  const project = new Project({ 'a.eval.ts': source });
  const ran = await project.assay(['run', '--json']);
  expect(ran.code, ran.stderr).to.equal(0);
  const { run_id: runId } = ran.json();
  return { project, runId, log: Buffer.from(project.read(`${sessions}/${runId}/results.jsonl`)) };
}

/** Another run folder with this log, and no `run.json` that could help; answers with its id. */
function addRun(project: Project, number: number, runId: string, log: Buffer): string {
  const id = number.toString(16).padStart(12, '0');
  // The same length, so that offsets stay.
  const text = log.toString('latin1').replace(runId, id);
  const folder = project.path(`${sessions}/${id}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'results.jsonl'), text, 'latin1');
  return id;
}

/** Reads and lists everything there is to read of these runs; nothing of it may fail. */
async function readAll(project: Project, ids: readonly string[], good: string): Promise<number> {
  const served = await ServedProject.start(project);
  let readable = 0;
  for (const id of ids) {
    const { status, body, text } = await served.get(`/api/runs/${id}/data`);
    expect(status, `${id}: ${text}`).to.be.oneOf([200, 404]);
    if (status === 404) continue;
    readable += 1;
    expect(body.state).to.be.oneOf(['not_started', 'interrupted', 'finished']);
    for (const [index] of body.results.entries()) {
      expect((await served.get(`/api/runs/${id}/results/${index}`)).status, id).to.equal(200);
    }
  }
  const { status, body } = await served.get('/api/sessions/default/runs');
  expect(status).to.equal(200);
  const listed = body.runs.map((run: { run_id: string }) => run.run_id);
  expect(listed).to.include(good);
  expect(listed).to.have.lengthOf(readable + 1);
  // What no run can be made of is set aside, and named.
  const aside = readdirSync(project.path(sessions)).filter((name) => name.endsWith('.broken'));
  expect(aside).to.have.lengthOf(ids.length - readable);
  for (const name of aside) expect(served.warnings.join('\n')).to.include(name);
  return readable;
}

describe('stored runs that are damaged, over HTTP', () => {
  it('are read up to where they were cut, at any byte, or set aside; no answer is a 500', async () => {
    const { project, runId, log } = await savedRun();
    const step = Math.ceil(log.length / 40);
    const cuts = Array.from({ length: Math.floor(log.length / step) }, (_, at) => at * step);
    const ids = cuts.map((cut, at) => addRun(project, at, runId, log.subarray(0, cut)));
    const readable = await readAll(project, ids, runId);
    expect(readable).to.be.greaterThan(cuts.length / 2);
  });
});

describe('a stored run of a newer format, over HTTP', () => {
  it('can be read and exported; whatever would change it is refused and says why', async () => {
    const { project, runId } = await savedRun();
    const folder = `${sessions}/${runId}`;
    for (const [name, format] of [
      ['results.jsonl', '"format":1'],
      ['run.json', '"format": 1'],
    ] as const) {
      const path = `${folder}/${name}`;
      project.write(path, project.read(path).replace(format, format.replace('1', '99')));
    }
    const before = folderState(project.path(folder));
    const served = await ServedProject.start(project);
    const read = await served.get(`/api/runs/${runId}/data`);
    expect(
      read.body.results.map((row: { result: { output: unknown } }) => row.result.output),
    ).to.deep.equal(['output a', 'output b', 'output c']);
    expect((await served.get(`/api/runs/${runId}/export/csv`)).status).to.equal(200);
    expect((await served.get('/api/sessions/default/runs')).body.runs).to.have.lengthOf(1);
    const edit = { result: { annotation: 'x' } };
    for (const { status, body, text } of [
      await served.patch(`/api/runs/${runId}/results/0`, edit),
      await served.patch(`/api/runs/${runId}`, { run_name: 'other' }),
      await served.post('/api/runs/rerun', { run_id: runId }),
      await served.post('/api/runs/regrade', { run_id: runId }),
    ]) {
      expect(status, text).to.equal(409);
      expect(body.detail).to.contain('newer assay');
    }
    expect(changesBetween(before, folderState(project.path(folder)))).to.deep.equal([]);
  });
});
