import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';
import { mixedEvals } from './evals.js';

describe('editing many results', () => {
  let served: ServedProject;
  let count: number;

  beforeEach(async () => {
    served = await ServedProject.start(
      { 'evals/mixed.eval.mjs': mixedEvals },
      { paths: ['evals'] },
    );
    count = (await served.runAll()).results.length;
  });
  const edit = async (body: object) => {
    const { status, body: answer, text } = await served.patch('/api/runs/latest/results', body);
    expect(status, text).to.equal(200);
    return answer;
  };
  const results = async () =>
    (await served.active()).results.map(({ result }: { result: object }) => result);

  it('annotates them, each with a correction of the same time', async () => {
    await edit({ indices: [1], annotation: 'seen' });
    const { at, changed, ok } = await edit({ indices: [2, 1, 0, 2], annotation: 'seen' });
    expect([ok, changed]).to.deep.equal([true, [2, 0]]);
    const after = await results();
    for (const index of [0, 2]) {
      expect(after[index]).to.include({ annotation: 'seen' });
      expect(after[index].correction_history).to.deep.equal([
        { field: 'annotation', before: '', after: 'seen', timestamp: at },
      ]);
    }
    expect(after[1].correction_history).to.have.length(1);
    await edit({ indices: [0], annotation: null });
    expect((await results())[0].annotation).to.equal('');
  });

  it('sets a score, in its place or at the end, and clears it', async () => {
    const before = await results();
    const { changed } = await edit({
      indices: [...before.keys()],
      score: { key: 'mine', passed: false, notes: 'no' },
    });
    expect(changed).to.have.length(count);
    const mine = { key: 'mine', passed: false, notes: 'no', source: 'human' };
    const scored = await results();
    for (const [index, { scores }] of scored.entries()) {
      expect(scores).to.deep.equal([...before[index].scores, mine]);
    }
    await edit({ indices: [0], score: { key: 'mine', passed: true } });
    expect((await results())[0].scores.at(-1)).to.deep.equal({
      key: 'mine',
      passed: true,
      source: 'human',
    });
    const cleared = await edit({ indices: [0, 1], clear: 'mine' });
    expect(cleared.changed).to.deep.equal([0, 1]);
    expect((await edit({ indices: [0, 1], clear: 'mine' })).changed).to.deep.equal([]);
    expect((await results()).map(({ scores }: { scores: object[] }) => scores)).to.deep.equal([
      before[0].scores,
      before[1].scores,
      ...scored.slice(2).map(({ scores }: { scores: object[] }) => scores),
    ]);
  });

  it('takes a change back, but for what has been changed since', async () => {
    const before = await results();
    const indices = [...before.keys()];
    const first = await edit({ indices, score: { key: 'mine', passed: true } });
    await edit({ indices, annotation: 'all' });
    await edit({ indices: [0], clear: 'mine' });
    const undone = await edit({ indices, undo: first.at });
    expect(undone.changed).to.deep.equal(indices.slice(1));
    const after = await results();
    for (const [index, { scores, annotation }] of after.entries()) {
      // Those of evaluators are not human ones because they came back.
      expect(scores).to.deep.equal(before[index].scores);
      expect(annotation).to.equal('all');
    }
    expect(after[1].correction_history).to.have.length(3);
    // Which can be taken back in turn.
    expect((await edit({ indices, undo: undone.at })).changed).to.deep.equal(indices.slice(1));
    expect((await results())[1].scores).to.deep.include({
      key: 'mine',
      passed: true,
      source: 'human',
    });
    // And then the one before that, because everything is again as it was after it.
    expect((await edit({ indices: [1], undo: first.at })).changed).to.deep.equal([1]);
    expect((await results())[1].scores).to.deep.equal(before[1].scores);
  });

  it('gives a score back as the evaluator gave it', async () => {
    const { scores } = (await results())[0];
    const [{ key }] = scores;
    for (const passed of [true, false]) await edit({ indices: [0], score: { key, passed } });
    await edit({ indices: [0], score: { key: 'mine', passed: true } });
    for (const restore of [key, 'mine']) {
      expect((await edit({ indices: [0, 1], restore })).changed).to.deep.equal([0]);
    }
    expect((await results())[0].scores).to.deep.equal(scores);
    await edit({ indices: [0], clear: key });
    await edit({ indices: [0], restore: key });
    expect((await results())[0].scores).to.deep.include(scores[0]);
  });

  it('changes nothing where one of them does not exist, or the change is none', async () => {
    const before = await results();
    const bad: [object, number][] = [
      [{ indices: [0, 99], annotation: 'x' }, 404],
      [{ indices: [0] }, 400],
      [{ indices: [0], annotation: 'x', clear: 'exact' }, 400],
      [{ indices: [0], score: { key: 'x' } }, 400],
      [{ indices: [-1], annotation: 'x' }, 400],
      [{ indices: '0', annotation: 'x' }, 400],
    ];
    for (const [body, status] of bad) {
      const answer = await served.patch('/api/runs/latest/results', body);
      expect(answer.status, JSON.stringify(body)).to.equal(status);
    }
    expect(await results()).to.deep.equal(before);
  });

  it('is refused before the run has started', async () => {
    const fresh = await ServedProject.start(
      { 'evals/mixed.eval.mjs': mixedEvals },
      { paths: ['evals'] },
    );
    const body = { indices: [0], annotation: 'early' };
    expect((await fresh.patch('/api/runs/latest/results', body)).status).to.equal(409);
  });
});
