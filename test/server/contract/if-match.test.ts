import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';
import { mixedEvals } from './evals.js';

describe('the contract: If-Match on PATCH of a result', () => {
  let served: ServedProject;

  before(async () => {
    served = await ServedProject.start({ 'mixed.eval.mjs': mixedEvals });
  });
  beforeEach(async () => {
    await served.post('/api/runs/new?wait=true', {});
  });

  const path = '/api/runs/latest/results/0';
  const tagOf = async (at = path) => (await served.get(at)).headers.get('etag') ?? '';
  const edit = (annotation: string, tag?: string) =>
    served.send(
      'PATCH',
      path,
      { result: { annotation } },
      tag === undefined ? {} : { 'if-match': tag },
    );

  it('changes the result that was read, and answers with the tag of the next one', async () => {
    const { status, headers } = await edit('mine', await tagOf());
    expect(status).to.equal(200);
    expect((await edit('mine again', headers.get('etag') ?? '')).status).to.equal(200);
    expect((await served.get(path)).body.result.result.annotation).to.equal('mine again');
  });

  it('is 412 with the tag of today when somebody else has edited since', async () => {
    const tag = await tagOf();
    await edit('theirs');
    const refused = await edit('mine', tag);
    expect(refused.status).to.equal(412);
    expect(refused.body).to.include({ status: 412, title: 'Precondition Failed' });
    const { result } = (await served.get(path)).body.result;
    expect(result.annotation).to.equal('theirs');
    expect(result.correction_history).to.have.length(1);
    const today = refused.headers.get('etag') ?? '';
    expect((await edit('mine', today)).status).to.equal(200);
  });

  it('is 412 when another process has edited, or when it was run again', async () => {
    const first = await tagOf();
    const { run_id } = await served.active();
    const other = await ServedProject.start(served.project, { runId: run_id });
    await other.patch(path, { result: { annotation: 'theirs' } });
    expect((await edit('mine', first)).status).to.equal(412);
    const second = await tagOf();
    await served.post('/api/runs/rerun?wait=true', { indices: [0] });
    expect((await edit('mine', second)).status).to.equal(412);
  });

  it('knows nothing of other results, nor of the name of the run', async () => {
    const tag = await tagOf();
    const { run_id } = await served.active();
    await served.patch('/api/runs/latest/results/1', { result: { annotation: 'x' } });
    await served.patch(`/api/runs/${run_id}`, { run_name: 'another' });
    expect(await tagOf()).to.not.equal(tag);
    expect((await edit('mine', tag)).status).to.equal(200);
  });

  it('takes several tags and *; without it edits are as before', async () => {
    const tag = await tagOf();
    expect((await edit('a', `"x", ${tag}`)).status).to.equal(200);
    expect((await edit('b', '"x", "y"')).status).to.equal(412);
    expect((await edit('b', '*')).status).to.equal(200);
    expect((await edit('c')).status).to.equal(200);
  });

  it('is no matter where nothing can be edited: 404 and 409 come first', async () => {
    const send = (at: string) =>
      served.send('PATCH', at, { result: { annotation: 'x' } }, { 'if-match': '"x"' });
    expect((await send('/api/runs/latest/results/99')).status).to.equal(404);
    const fresh = await ServedProject.start({ 'mixed.eval.mjs': mixedEvals });
    const answer = await fresh.send('PATCH', path, { result: {} }, { 'if-match': '"x"' });
    expect(answer.status).to.equal(409);
  });
});
