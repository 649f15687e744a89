import { expect } from 'chai';
import { runProblems } from '../../helpers/run-shape.js';
import { ServedProject } from '../../helpers/served-project.js';
import { mixedEvals } from './evals.js';

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('the contract: editing results', () => {
  let served: ServedProject;
  let first: string;
  let second: string;

  before(async () => {
    served = await ServedProject.start(
      { 'evals/mixed.eval.mjs': mixedEvals },
      { paths: ['evals'] },
    );
    first = (await served.runAll()).run_id;
    second = (await served.post('/api/runs/new?wait=true', { run_name: 'second' })).body.run_id;
  });

  const edit = (index: number | string, result: unknown, run = 'latest') =>
    served.patch(`/api/runs/${run}/results/${index}`, { result });
  const entry = async (index: number, run = 'latest') =>
    (await served.get(`/api/runs/${run}/results/${index}`)).body.result;

  it('answers ok and the result as it is from then on', async () => {
    const { status, body } = await edit(0, { annotation: 'look here' });
    expect(status).to.equal(200);
    expect(body).to.have.all.keys('ok', 'result');
    expect(body.ok).to.equal(true);
    expect(body.result.result.annotation).to.equal('look here');
    expect(await entry(0)).to.deep.equal(body.result);
    expect((await served.active()).results[0]).to.deep.equal(body.result);
  });

  it('adds an entry with field, before, after and timestamp to the history', async () => {
    const before = (await entry(1)).result;
    await edit(1, { annotation: 'one' });
    const { correction_history: history } = (await entry(1)).result;
    expect(before.correction_history).to.deep.equal([]);
    expect(history).to.have.length(1);
    expect(history[0]).to.have.all.keys('field', 'before', 'after', 'timestamp');
    expect(history[0]).to.include({ field: 'annotation', before: '', after: 'one' });
    expect(history[0].timestamp).to.match(timestamp);
    expect(Math.abs(Date.parse(history[0].timestamp) - Date.now())).to.be.below(10_000);
  });

  it('adds one entry per field, oldest first, and none for what does not change', async () => {
    const { scores } = (await entry(2)).result;
    await edit(2, { annotation: 'a', scores: [{ key: 'taste', value: 3 }] });
    await edit(2, { annotation: 'a', scores: [{ key: 'taste', value: 3 }] });
    await edit(2, { annotation: 'b' });
    const history = (await entry(2)).result.correction_history;
    const seen = history.map(({ field, before, after }: Correction) => [field, before, after]);
    expect(seen).to.have.deep.members([
      ['annotation', '', 'a'],
      ['scores', scores, [{ key: 'taste', value: 3, source: 'human' }]],
      ['annotation', 'a', 'b'],
    ]);
    expect(seen.at(-1)).to.deep.equal(['annotation', 'a', 'b']);
  });

  it('changes scores and the totals and chips that follow from them', async () => {
    const { total_passed: passedBefore } = await served.active();
    const { body } = await edit(0, { scores: [{ key: 'exact', passed: false, notes: 'no' }] });
    expect(body.result.result.scores).to.deep.equal([
      { key: 'exact', passed: false, notes: 'no', source: 'human' },
    ]);
    const { score_chips, eval_path, is_paused, selected_total, ...run } = await served.active();
    expect(runProblems(run)).to.deep.equal([]);
    expect(run.total_passed).to.equal(passedBefore - 1);
    expect(score_chips[0]).to.deep.equal({ key: 'exact', type: 'ratio', passed: 0, total: 2 });
  });

  it('marks what was edited or added as human; a score sent back unchanged keeps its source', async () => {
    const [exact, size] = (await entry(1)).result.scores;
    const sent = [exact, { ...size, value: 1 }, { key: 'tone', passed: true }];
    const { body } = await edit(1, { scores: sent });
    expect(body.result.result.scores).to.deep.equal([
      exact,
      { ...size, value: 1, source: 'human' },
      { key: 'tone', passed: true, source: 'human' },
    ]);
    expect(exact).to.not.have.property('source');
    const again = (await edit(1, { scores: body.result.result.scores })).body.result.result;
    expect(again.scores).to.deep.equal(body.result.result.scores);
  });

  it('does not let a client say who set a score', async () => {
    const [exact] = (await entry(0, first)).result.scores;
    const sent = [{ ...exact, source: 'human' }];
    const { body } = await edit(0, { scores: sent }, first);
    expect(body.result.result.scores).to.deep.equal([exact]);
  });

  it('clears the annotation with null', async () => {
    await edit(3, { annotation: 'something' });
    expect((await edit(3, { annotation: null })).body.result.result.annotation).to.equal('');
  });

  it('takes null as no scores', async () => {
    expect((await edit(3, { scores: null })).body.result.result.scores).to.deep.equal([]);
  });

  it('takes annotations, a string or null, for annotation', async () => {
    const noted = async (result: unknown) => (await edit(3, result)).body.result.result.annotation;
    expect(await noted({ annotations: 'plural' })).to.equal('plural');
    for (const annotations of [7, ['x'], { text: 'x' }, true]) {
      const { status, body } = await edit(3, { annotations });
      expect([status, body.errors[0].pointer]).to.deep.equal([400, '/result/annotations']);
    }
    expect((await entry(3)).result.annotation).to.equal('plural');
    expect(await noted({ annotations: null })).to.equal('');
  });

  it('ignores all other keys', async () => {
    const before = await entry(3);
    const result = { output: 1, status: 'completed', error: null, latency: 9, input: 1 };
    const { status, body } = await edit(3, result);
    expect(status).to.equal(200);
    expect(body.result).to.deep.equal(before);
    const more = { result: {}, id: 'x', index: 2 };
    const { body: same } = await served.patch('/api/runs/latest/results/3', more);
    expect(same.result).to.deep.equal(before);
  });

  it('works on a saved run that is not active and leaves the active one as it is', async () => {
    const active = (await served.get('/results')).text;
    const { status } = await edit(3, { annotation: 'elsewhere' }, first);
    expect(status).to.equal(200);
    expect((await entry(3, first)).result.annotation).to.equal('elsewhere');
    expect((await served.get('/results')).text).to.equal(active);
  });

  it('keeps every one of many at once, each on top of the one before', async () => {
    const before = (await entry(2, first)).result.correction_history.length;
    const notes = Array.from({ length: 20 }, (_, at) => `note ${at}`);
    await Promise.all(notes.map((annotation) => edit(2, { annotation }, first)));
    const history = (await entry(2, first)).result.correction_history.slice(before);
    const written = history.map(({ after }: Correction) => after);
    expect(written).to.have.members(notes);
    expect(history.slice(1).map(({ before }: Correction) => before)).to.deep.equal(
      written.slice(0, -1),
    );
  });

  it('keeps any text as it is', async () => {
    const note = 'line 1\nline 2 — „日本“ 👩‍👩‍👧 <b>&amp;</b> "\\u0000" \t';
    const { body } = await edit(3, { annotation: note });
    expect(body.result.result.annotation).to.equal(note);
  });

  it('has what was edited in what the command line exports', async () => {
    await edit(0, { annotation: 'for the export' });
    const { stdout } = await served.project.assay(['export', second, '-f', 'json']);
    expect(JSON.parse(stdout).results[0].result.annotation).to.equal('for the export');
  });

  const wrong: readonly (readonly [string, unknown, string])[] = [
    ['no result', {}, '/result'],
    ['a result that is no object', { result: 'x' }, '/result'],
    ['a result that is null', { result: null }, '/result'],
    ['an annotation that is no text', { result: { annotation: 5 } }, '/result/annotation'],
    ['scores that are no list', { result: { scores: { key: 'a' } } }, '/result/scores'],
    ['a score without key', { result: { scores: [{ passed: true }] } }, '/result/scores/0/key'],
    ['an empty key', { result: { scores: [{ key: '', passed: true }] } }, '/result/scores/0/key'],
    [
      'a key of 201 characters',
      { result: { scores: [{ key: 'k'.repeat(201), passed: true }] } },
      '/result/scores/0/key',
    ],
    [
      'a score with neither passed nor value',
      { result: { scores: [{ key: 'a', notes: 'n' }] } },
      '/result/scores/0',
    ],
    [
      'passed that is no boolean',
      { result: { scores: [{ key: 'a', passed: 'yes' }] } },
      '/result/scores/0/passed',
    ],
    [
      'a value that is no number',
      {
        result: {
          scores: [
            { key: 'b', value: 1 },
            { key: 'a', value: '1' },
          ],
        },
      },
      '/result/scores/1/value',
    ],
  ];
  for (const [what, body, pointer] of wrong) {
    it(`answers 400 to ${what}, points at it and changes nothing`, async () => {
      const before = (await served.get('/results')).text;
      const answer = await served.patch('/api/runs/latest/results/0', body);
      expect(answer.status).to.equal(400);
      expect(answer.body.errors[0].pointer).to.equal(pointer);
      expect(answer.body.errors[0].detail).to.be.a('string').and.not.empty;
      expect((await served.get('/results')).text).to.equal(before);
    });
  }

  it('changes the scores of the attempt that counts by themselves, and only of a repeat', async () => {
    const drawing = await ServedProject.start({
      'draw.eval.mjs': `
        import { evaluation } from 'assay';
        export const draw = evaluation({
          cases: [0, 1].map((input) => ({ id: String(input), input })),
          target: () => Math.random(),
          evaluators: [function right() { return false; }],
        });`,
    });
    const { run_id } = await drawing.runAll();
    const path = `/api/runs/${run_id}/results`;
    await drawing.post('/api/runs/rerun?wait=true', { indices: [0] });
    const counted_scores = [{ key: 'right', passed: true }];
    const { status, body } = await drawing.patch(`${path}/0`, { result: { counted_scores } });
    expect(status).to.equal(200);
    expect(body.result.counted.scores).to.deep.equal([{ ...counted_scores[0], source: 'human' }]);
    expect(body.result.result.scores).to.deep.equal([{ key: 'right', passed: false }]);
    const { summary, total_passed } = (await drawing.get('/results')).body;
    expect([summary.verdicts.passed, total_passed]).to.deep.equal([1, 0]);
    const refused = await drawing.patch(`${path}/1`, { result: { counted_scores } });
    expect(refused.status).to.equal(400);
    expect(refused.body.detail).to.match(/is no repeat/);
    const twins = [...counted_scores, ...counted_scores];
    const wrong = await drawing.patch(`${path}/0`, { result: { counted_scores: twins } });
    expect(wrong.body.errors[0].pointer).to.equal('/result/counted_scores/1/key');
  });

  it('takes a key of 200 characters', async () => {
    const scores = [{ key: '日'.repeat(200), passed: true }];
    expect((await edit(3, { scores })).status).to.equal(200);
  });
});

interface Correction {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}
