import { expect } from 'chai';
import { patience, times } from '../helpers/rounds.js';
import { finished, readAll, startedRun, temporaryStore } from '../store/builders.js';
import { startChild } from '../store/children.js';

/** Edits of each process. */
const count = times(50);

describe('two processes that edit one result while a third one runs the run', () => {
  it(`lose none of ${2 * count} edits, and each says what it replaced`, async () => {
    const store = await temporaryStore();
    const owner = await startedRun(store, 2);
    const { runId } = owner.run;
    const editors = [0, 1].map((name) =>
      startChild('edit', [store.root, runId, '0', String(count), `process ${name}`]),
    );
    await Promise.all(editors.map((editor) => editor.says('ready')));
    for (const editor of editors) editor.process.stdin?.write('go\n');
    let isOver = false;
    const ended = Promise.all(editors.map((editor) => editor.ended)).finally(() => {
      isOver = true;
    });
    let finishes = 0;
    while (!isOver) {
      owner.finish([finished(1, { output: finishes })]);
      finishes += 1;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    for (const { code, err } of await ended) expect(code, err).to.equal(0);
    await owner.run.refresh();
    const live = owner.run.entry(0);
    await owner.close('finished');
    await owner.run.close();

    const [entry, other] = await readAll(store, runId);
    expect(entry).to.deep.equal(live);
    expect(other?.result.output).to.equal(finishes - 1);
    const history = entry?.result.correction_history ?? [];
    expect(history).to.have.lengthOf(2 * count);
    for (const name of [0, 1]) {
      const own = history.filter(({ after }) => String(after).startsWith(`process ${name}`));
      expect(own.map(({ after }) => after)).to.deep.equal(
        Array.from({ length: count }, (_, edit) => `process ${name} ${edit}`),
      );
    }
    expect(history.map(({ before }) => before)).to.deep.equal([
      '',
      ...history.slice(0, -1).map(({ after }) => after),
    ]);
    expect(entry?.result.annotation).to.equal(history.at(-1)?.after);
  }).timeout(patience);
});
