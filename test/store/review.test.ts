import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import type { ReviewLabel } from '../../src/model/labels.js';
import { openStore } from '../../src/store/store.js';
import type { StoredRun } from '../../src/store/stored-run.js';
import {
  finished,
  finishedRun,
  newRun,
  plan,
  refusal,
  startedRun,
  temporaryStore,
} from './builders.js';

const pass = { index: 0, key: 'exact', verdict: 'pass', reviewer: 'ada' } as const;

async function openedRun(count = 1): Promise<StoredRun> {
  const store = await temporaryStore();
  return store.openRun(await finishedRun(store, count));
}

/** The labels as `reviewer key verdict`, and the note where there is one. */
function said(labels: readonly ReviewLabel[]): string[] {
  return labels.map(({ reviewer, key, verdict, note }) =>
    [reviewer, key, verdict, ...(note ? [note] : [])].join(' '),
  );
}

describe('labels of a run', () => {
  it('are those that each reviewer gave last, for each score and version of the rubric', async () => {
    const run = await openedRun();
    await run.addLabels([pass, { ...pass, key: 'tone', verdict: 'unsure' }]);
    await run.addLabels([{ ...pass, reviewer: ' bob ', verdict: 'fail', note: 'why' }]);
    await run.addLabels([{ ...pass, verdict: 'fail' }]);
    await run.addLabels([{ ...pass, rubric_version: 'abc' }]);
    expect(said(run.labels())).to.have.members([
      'ada tone unsure',
      'bob exact fail why',
      'ada exact fail',
      'ada exact pass',
    ]);
    const reopened = await (await openStore(`${run.folder}/../..`)).openRun(run.runId);
    expect(reopened.labelsOf(0)).to.deep.equal(run.labelsOf(0));
    await reopened.close();
    await run.close();
  });

  it('are taken back by null, and said again leave no line', async () => {
    const run = await openedRun();
    await run.addLabels([pass]);
    const before = run.log.position;
    await run.addLabels([pass]);
    expect(run.log.position).to.equal(before);
    await run.addLabels([{ ...pass, verdict: null }]);
    expect(run.labels()).to.deep.equal([]);
    const after = run.log.position;
    await run.addLabels([{ ...pass, verdict: null }]);
    expect(run.log.position).to.equal(after);
    await run.close();
  });

  it('that are given together count together or not at all, wherever their log ends', async () => {
    const store = await temporaryStore();
    const run = await store.openRun(await finishedRun(store, 4));
    const before = run.log.position;
    const verdicts = ['pass', 'fail', 'unsure', 'pass'] as const;
    await run.addLabels(
      verdicts.map((verdict, index) => ({ ...pass, index, verdict, note: 'naïve }]}\n{"a":1}' })),
    );
    const { path, position: end } = run.log;
    await run.close();
    const whole = readFileSync(path);
    expect(whole.subarray(before).filter((byte) => byte === 10)).to.have.lengthOf(1);
    for (let size = before; size <= end; size += size < end - 20 ? 13 : 1) {
      writeFileSync(path, whole);
      truncateSync(path, size);
      const cut = await store.openRun(run.runId);
      // Without its line end, the line is complete.
      const isWhole = size >= end - 1;
      expect(cut.labels().length, String(size)).to.equal(isWhole ? 4 : 0);
      expect(cut.problems.length, String(size)).to.equal(isWhole || size === before ? 0 : 1);
      await cut.addLabels([{ ...pass, reviewer: 'bob' }]);
      expect(cut.labels().length, String(size)).to.equal(isWhole ? 5 : 1);
      await cut.close();
    }
  });

  it('that are given together are left out together if one of them is damaged', async () => {
    const store = await temporaryStore();
    const run = await store.openRun(await finishedRun(store, 2));
    await run.addLabels([pass, { ...pass, index: 1 }]);
    const { path } = run.log;
    await run.close();
    const text = readFileSync(path, 'utf8');
    for (const [from, to] of [
      ['"index":1,', '"index":9,'],
      ['"verdict":"pass"', '"verdict":"good"'],
      ['"reviewer":"ada"', '"reviewed":"ada"'],
    ] as const) {
      const line = text.lastIndexOf('\n', text.length - 2);
      const at = text.indexOf(from, line);
      expect(at).to.be.greaterThan(line);
      writeFileSync(path, text.slice(0, at) + to + text.slice(at + from.length));
      const damaged = await store.openRun(run.runId);
      expect(damaged.labels()).to.deep.equal([]);
      expect(damaged.problems.join()).to.include('1 line of');
      await damaged.close();
    }
  });

  it('are refused when they are too many for one line', async () => {
    const run = await openedRun(3);
    const before = run.log.position;
    const note = 'x'.repeat(30 * 1024 * 1024);
    const all = [0, 1, 2].map((index) => ({ ...pass, index, note }));
    const { code, message } = await refusal(() => run.addLabels(all));
    expect(code).to.equal('bad-request');
    expect(message).to.include('64 MiB');
    expect(run.log.position).to.equal(before);
    await run.close();
  });

  it('count as picked by hand after another verdict, as the reviewer has seen the judge', async () => {
    const run = await openedRun();
    const { id: sample } = await run.drawSample({ size: 1, by: 'none', seed: 1 });
    const say = async (verdict: 'pass' | 'fail' | 'unsure' | null, change: object = {}) => {
      await run.addLabels([{ ...pass, sample, verdict, ...change }]);
      return run.labels().map((one) => [one.reviewer, one.verdict, one.sample !== undefined]);
    };
    expect(await say('unsure')).to.deep.equal([['ada', 'unsure', true]]);
    expect(await say('pass')).to.deep.equal([['ada', 'pass', true]]);
    expect(await say('fail')).to.deep.equal([['ada', 'fail', false]]);
    expect(await say(null)).to.deep.equal([]);
    expect(await say('fail')).to.deep.equal([['ada', 'fail', false]]);
    const { position } = run.log;
    await say('fail');
    expect(run.log.position).to.equal(position);
    const all = await say('fail', { reviewer: 'bob' });
    expect(all).to.deep.include(['bob', 'fail', true]);
    expect(await say('pass')).to.deep.include(['ada', 'pass', true]);
    const reopened = await (await openStore(`${run.folder}/../..`)).openRun(run.runId);
    expect(reopened.labels()).to.deep.equal(run.labels());
    await reopened.close();
    await run.close();
  });

  it('change no figure, score, version or time of the run', async () => {
    const run = await openedRun();
    const facts = () => [run.head(true), run.entry(0), run.version, run.rows[0]];
    const before = facts();
    await run.addLabels([{ ...pass, verdict: 'fail' }]);
    await run.drawSample({ size: 1, by: 'none', seed: 1 });
    expect(facts()).to.deep.equal(before);
    await run.close();
  });

  it('are of an output: another one does not show them, the same one does again', async () => {
    const store = await temporaryStore();
    const owner = await startedRun(store, 1);
    owner.finish([finished(0)]);
    await owner.run.addLabels([pass]);
    const seen: string[][] = [];
    for (const output of ['other', 'out 0']) {
      owner.schedule({ kind: 'rerun', rows: 'all', newPass: [0] });
      seen.push(said(owner.run.labels()));
      owner.finish([finished(0, { output })]);
      seen.push(said(owner.run.labels()));
    }
    expect(seen).to.deep.equal([[], [], [], ['ada exact pass']]);
    await owner.close('finished');
    await owner.run.close();
  });

  it('are refused, all of them, for what cannot be labelled', async () => {
    const store = await temporaryStore();
    const owner = await startedRun(store, 4);
    owner.finish([
      finished(0),
      finished(1, { status: 'error', error: 'broken' }),
      finished(2, { output: null }),
    ]);
    const { run } = owner;
    const codes: [object, string][] = [
      [{ index: 1 }, 'no-output'],
      [{ index: 2 }, 'no-output'],
      [{ index: 3 }, 'no-output'],
      [{ index: 4 }, 'no-such-result'],
      [{ sample: 'none' }, 'bad-request'],
      [{ reviewer: ' ' }, 'bad-request'],
      [{ reviewer: 'a\nb' }, 'bad-request'],
      [{ reviewer: 'x'.repeat(101) }, 'bad-request'],
    ];
    for (const [change, code] of codes) {
      const { code: found } = await refusal(() => run.addLabels([pass, { ...pass, ...change }]));
      expect(found, JSON.stringify(change)).to.equal(code);
    }
    expect(run.labels()).to.deep.equal([]);
    await owner.close('finished');
    await run.close();
  });
});

describe('samples of a run', () => {
  it('are drawn of results with an output that counts, and more of the others', async () => {
    const store = await temporaryStore();
    const owner = await startedRun(store, 100);
    owner.finish(
      Array.from({ length: 90 }, (_, index) =>
        finished(index, index < 10 ? { status: 'error', error: 'broken' } : {}),
      ),
    );
    const { run } = owner;
    const first = await run.drawSample({ size: 60, by: 'none', seed: 7 });
    const second = await run.drawSample({ size: 60, by: 'none', seed: 8 });
    const drawn = [first, second].map(({ strata }) => strata.flatMap((one) => one.drawn));
    expect(drawn.map(({ length }) => length)).to.deep.equal([60, 20]);
    expect(new Set(drawn.flat())).to.have.lengthOf(80);
    expect(Math.min(...drawn.flat())).to.equal(10);
    expect(Math.max(...drawn.flat())).to.equal(89);
    expect([first, second].map(({ strata }) => strata[0]?.rows)).to.deep.equal([80, 80]);
    const more = await refusal(() => run.drawSample({ size: 1, by: 'none', seed: 9 }));
    expect(more.code).to.equal('nothing-selected');
    await run.addLabels([{ ...pass, index: drawn[0]?.[0] ?? 0, sample: first.id }]);
    await owner.close('finished');
    await run.close();
  });

  it('are by dataset in proportion, at least one of each, and by verdict of equal parts', async () => {
    const store = await temporaryStore();
    const owner = await store.createRun(newRun());
    const dataset = (index: number) => (index < 2 ? 'few' : 'many');
    owner.plan(Array.from({ length: 100 }, (_, index) => plan(index, { dataset: dataset(index) })));
    owner.schedule({ kind: 'run', rows: 'all' });
    owner.finish(
      Array.from({ length: 100 }, (_, index) => {
        const scores = index < 5 ? [] : [{ key: 'exact', passed: index >= 15 }];
        return finished(index, { scores });
      }),
    );
    const { run } = owner;
    const parts = ({ strata }: Awaited<ReturnType<typeof run.drawSample>>) =>
      strata.map(({ name, rows, drawn }) => [name, rows, drawn.length]);
    const byDataset = await run.drawSample({ size: 20, by: 'dataset', seed: 1 });
    expect(parts(byDataset)).to.deep.equal([
      ['few', 2, 1],
      ['many', 98, 19],
    ]);
    const byVerdict = { size: 24, by: 'verdict', key: 'exact', seed: 1 } as const;
    const first = await run.drawSample(byVerdict);
    expect(parts(first)).to.deep.equal([
      ['failed', 10, 10],
      ['none', 5, 5],
      ['passed', 85, 9],
    ]);
    const second = await run.drawSample(byVerdict);
    expect(parts(second)).to.deep.equal([
      ['failed', 10, 0],
      ['none', 5, 0],
      ['passed', 85, 24],
    ]);
    const refused = [
      { size: 1, by: 'dataset', seed: 1 },
      { size: 1, by: 'verdict', seed: 1 },
      { size: 1, by: 'verdict', key: 'other', seed: 1 },
    ] as const;
    for (const request of refused) {
      expect((await refusal(() => run.drawSample(request))).code).to.equal('bad-request');
    }
    await owner.close('finished');
    await run.close();
  });

  it('are the same for the same seed, and another process draws none of them again', async () => {
    const run = await openedRun(20);
    const copy = await openedRun(20);
    const request = { size: 5, by: 'none', seed: 42 } as const;
    const first = await run.drawSample(request);
    const { at: _, ...again } = await copy.drawSample(request);
    expect(first).to.deep.include(again);
    run.log.append([{ type: 'sample', ...first }]);
    expect(run.samples()).to.deep.equal([first]);
    const [{ drawn } = { drawn: [] }] = first.strata;
    const same = { ...first, id: 'other', strata: [{ name: '', rows: 20, drawn }] };
    run.log.append([{ type: 'sample', ...same }]);
    expect(run.samples().map(({ strata }) => strata[0]?.drawn.length)).to.deep.equal([5, 0]);
    await copy.close();
    await run.close();
  });
});
