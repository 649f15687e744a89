import { expect } from 'chai';
import type { StoredCalls } from '../../../src/model/calls/stored-calls.js';
import { openStore } from '../../../src/store/store.js';
import { ServedProject } from '../../helpers/served-project.js';
import { finished, newRun, plan } from '../../store/builders.js';
import { letGo, slowEvals } from '../contract/evals.js';

const secret = 'JUDGE-SAYS';
const value = 0.987654321;
const total = 6;

/** Calls of a target, and of a judge that says what is secret. */
const calls: StoredCalls = {
  calls: [
    { number: 1, role: 'target', method: 'POST', url: 'http://a/target', start: 0 },
    { number: 2, role: 'evaluator:exact', method: 'POST', url: `http://a/${secret}`, start: 1 },
  ],
  texts: [],
  spans: [
    { kind: 'tool', id: 't', name: 'orders', role: 'target', start: 0 },
    { kind: 'tool', id: 'j', name: secret, role: 'evaluator:exact', start: 1 },
  ],
};

/** A run whose judge fails odd results, and leaves its words wherever it can; the last result is an error. */
async function judgedRun(served: ServedProject): Promise<string> {
  const store = await openStore(served.project.path('.assay/sessions'));
  const owner = await store.createRun(newRun());
  const rows = Array.from({ length: total }, (_, index) => index);
  owner.plan(rows.map((index) => plan(index)));
  owner.schedule({ kind: 'run', rows: 'all' });
  owner.finish(
    rows.map((index) =>
      finished(index, {
        scores: [{ key: 'exact', passed: index % 2 === 0, value, notes: `${secret} ${index}` }],
        metadata: { kind: secret },
        trace_data: { logs: [{ text: secret }], messages: [{ role: 'judge', content: secret }] },
        calls,
        ...(index === total - 1 && { status: 'error', error: secret }),
      }),
    ),
  );
  await owner.close('finished');
  await owner.run.edit(0, { annotation: `note of a person: ${secret}` });
  const { runId } = owner.run;
  await owner.run.close();
  return runId;
}

describe('the API of reviews', () => {
  let served: ServedProject;
  let path: string;
  const get = (at: string) => served.get(`${path}/review${at}`);
  const post = (at: string, body: object) => served.post(`${path}/review${at}`, body);
  const pass = { key: 'exact', verdict: 'pass', reviewer: 'ada' };

  before(async () => {
    served = await ServedProject.start(
      { 'slow.eval.mjs': slowEvals },
      { paths: ['slow.eval.mjs'] },
    );
    path = `/api/runs/${await judgedRun(served)}`;
  });

  it('shows nothing of a judge before the label, and all of it after', async () => {
    const drawn = await post('/sample', { size: 3, by: 'verdict', key: 'exact', seed: 1 });
    expect(drawn.body.sample.drawn).to.equal(3);
    const queue = await get('?reviewer=ada');
    const bodies = [drawn, queue];
    for (let index = 0; index < total - 1; index += 1) {
      const one = await get(`/${index}?reviewer=ada`);
      expect(one.body).to.deep.include({ input: `in ${index}`, metadata: { kind: 'authored' } });
      expect(one.body.calls.map((call: { url: string }) => call.url)).to.deep.equal([
        'http://a/target',
      ]);
      bodies.push(one);
    }
    for (const { text } of bodies) {
      expect(text).to.not.include(secret);
      expect(text).to.not.include(String(value));
      expect(text).to.not.match(/"(scores|passed|error|trace_data|annotation)"/);
    }
    const { text, body } = await post('/1', { ...pass, sample: drawn.body.sample.id });
    expect(text).to.include(`${secret} 1`);
    expect(body).to.deep.include({ judge: { passed: false, value, notes: `${secret} 1` } });
    expect(body.label).to.deep.include({ index: 1, verdict: 'pass', sample: drawn.body.sample.id });
  });

  it('lets reviewers label at once, each blind to the others, and take labels back', async () => {
    const reviewers = ['Grace <b>&"\'', '../../etc', '日本語 🦉', '=HYPERLINK("x")'];
    const answers = await Promise.all(
      reviewers.map((reviewer) => post('/2', { ...pass, verdict: 'fail', reviewer })),
    );
    for (const { status, body } of answers) {
      expect([status, body.disagreements]).to.deep.equal([200, 1]);
    }
    const composed = await post('/2', { ...pass, reviewer: ' Zoe\u0308 ' });
    expect(composed.body.label.reviewer).to.equal('Zo\u00eb');
    for (const reviewer of reviewers) {
      const at = `/2?reviewer=${encodeURIComponent(reviewer)}`;
      expect((await get(at)).body.labels.exact.reviewer).to.equal(reviewer);
    }
    expect((await get('/2?reviewer=ada')).text).to.not.include(secret);
    const undone = await post('/2', { ...pass, verdict: null, reviewer: reviewers[0] });
    expect(undone.body).to.deep.include({ label: null, judge: null, disagreements: 0 });
    const skipped = await post('/2', { ...pass, verdict: 'skipped' });
    expect(skipped.text).to.not.include(secret);
    const unsure = await post('/2', { ...pass, verdict: 'unsure', note: 'n'.repeat(100_000) });
    expect(unsure.text).to.not.include(secret);
    expect((await get('/2?reviewer=ada')).text).to.not.include(secret);
    expect(unsure.body.label.note).to.have.lengthOf(100_000);
  });

  it('keeps a person’s correction apart from what the judge said', async () => {
    await served.patch(`${path}/results/3`, {
      result: { scores: [{ key: 'exact', passed: true }] },
    });
    const { body } = await post('/3', pass);
    expect(body.judge).to.deep.equal({ passed: false, value, notes: `${secret} 3` });
  });

  it('refuses what cannot be labelled, and says why', async () => {
    const last = total - 1;
    const refused: [number, string, object?][] = [
      [409, `/${last}`],
      [404, `/${total}`],
      [400, '?key=other'],
      [400, '?reviewer=%20'],
      [409, `/${last}`, pass],
      [404, `/${total}`, pass],
      [400, '/0', { ...pass, key: 'other' }],
      [400, '/0', { ...pass, verdict: 'good' }],
      [400, '/0', { ...pass, reviewer: 'x'.repeat(101) }],
      [400, '/0', { ...pass, sample: 'none' }],
      [400, '/0', { ...pass, smaple: 'x' }],
      [400, '/0', { ...pass, reviewer: 'a\u200bda' }],
      [400, '/sample', { size: 1, sead: 1 }],
      [409, '/0', { ...pass, rubric_version: 'old' }],
      [409, '/0', { ...pass, output_hash: 'old' }],
      [400, '/sample', { size: 0 }],
      [400, '/sample', { size: 1, by: 'verdict' }],
      [400, '/sample', { size: 1, by: 'dataset', key: 'exact' }],
    ];
    for (const [status, at, body] of refused) {
      const answer = await (body === undefined ? get(at) : post(at, body));
      expect(answer.status, `${at} ${JSON.stringify(body)}`).to.equal(status);
      expect(answer.text).to.not.include(secret);
    }
    const gone = await served.post('/api/runs/0123456789ab/review/0', pass);
    expect(gone.status).to.equal(404);
    const draft = await served.post('/api/runs/latest/review/0', pass);
    expect(draft.status).to.equal(409);
    expect((await served.get('/api/runs/latest/review')).body.total).to.equal(0);
  });

  it('lets people label by the rubric that the settings have now', async () => {
    served.project.write(
      'assay.yaml',
      'rubrics:\n  exact: Every amount is right.\nreviewer: lee\n',
    );
    const { body } = await get('?key=exact');
    const [{ rubric }] = body.keys;
    expect([body.reviewer, rubric.text]).to.deep.equal(['lee', 'Every amount is right.']);
    const { version } = rubric;
    const labelled = await post('/4?key=exact', { ...pass, rubric_version: version });
    expect(labelled.body.label.rubric_version).to.equal(version);
    served.project.write('assay.yaml', 'rubrics:\n  exact: Every amount and date is right.\n');
    const late = await post('/4', { ...pass, rubric_version: version });
    expect(late.status).to.equal(409);
    expect((await get('/4?reviewer=ada')).body).to.deep.include({ labels: {}, judges: {} });
    served.project.write('assay.yaml', '');
    expect((await get('?key=exact')).body.keys[0].rubric.version).to.equal(version);
  });

  it('reviews a run in progress', async () => {
    letGo(served, 'a');
    await served.post('/api/runs/rerun', {});
    await served.until((run) => run.results[0].result.status === 'completed');
    const id = await served.activeId();
    const at = `/api/runs/${id}/review`;
    expect((await served.post(`${at}/sample`, { size: 60 })).body.sample.drawn).to.equal(1);
    const labelled = await served.post(`${at}/0`, { ...pass, key: 'done' });
    expect(labelled.body).to.deep.include({ judge: { passed: true }, labelled: 1 });
    expect((await served.post(`${at}/1`, { ...pass, key: 'done' })).status).to.equal(409);
    letGo(served, 'b', 'c');
    await served.until((run) => run.state === 'finished');
    expect((await served.post(`${at}/sample`, { size: 60 })).body.sample.drawn).to.equal(2);
    expect((await served.get(`${at}?reviewer=ada`)).body).to.include({ total: 3, labelled: 1 });
  });
});
