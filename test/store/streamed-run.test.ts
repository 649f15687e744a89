import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { exporters } from '../../src/exporters/index.js';
import { openReference } from '../../src/store/listing/resolve-reference.js';
import type { Store } from '../../src/store/store.js';
import { fewOf } from '../helpers/rounds.js';
import { finished, plan, refusal, startedRun, temporaryStore } from './builders.js';

const edit = { annotation: 'ünï "x"', scores: [{ key: 'exact', passed: false }] };

/** A run to which everything has happened that a log can tell; answers with its id. */
async function eventfulRun(store: Store): Promise<string> {
  const owner = await startedRun(store, 6);
  const trial = (index: number) => ({ trial: index - 5, trial_of: 'evals/a.eval.ts::refund[6]' });
  owner.plan([6, 7].map((index) => plan(index, { id: `t~${index - 5}`, ...trial(index) })));
  owner.schedule({ kind: 'run', rows: 'all' });
  owner.finish([finished(0, { code: 'c1' }), finished(1, { output: 'é'.repeat(70_000) })]);
  owner.finish([finished(2, { status: 'error', error: '=x', latency: null }), finished(6)]);
  owner.cancel([2, 3]);
  await owner.run.edit(0, edit);
  await owner.run.edit(2, { annotation: 'seen' });
  owner.end({ outcome: 'stopped' });
  owner.schedule({ kind: 'rerun', rows: [0, 3] });
  const scores = [{ key: 'length', value: 0.5, threshold: 0.4 }];
  owner.finish([finished(0, { code: 'c2', scores, output: { a: [1, '2'] } })]);
  owner.end({ outcome: 'finished' });
  owner.schedule({ kind: 'regrade', rows: [0] });
  const graded = { status: 'completed', error: null, code: 'c3' } as const;
  owner.regrade([{ index: 0, ...graded, scores: [{ key: 'exact', passed: true }] }]);
  owner.prune([4, 5]);
  owner.schedule({ kind: 'resume', rows: [5, 7] });
  owner.finish([finished(7, { scores: [] })]);
  await owner.run.rename('calm-heron');
  await owner.close('stopped');
  await owner.run.close();
  return owner.run.runId;
}

/** Everything that is exported of a run, and what is said about it. */
async function exported(store: Store, folder: string, isStreamed: boolean) {
  const { run, problems, close } = await openReference(store, folder, { cwd: '/', isStreamed });
  const texts: { [format: string]: string } = {};
  for (const { format, render } of exporters) texts[format] = await textOf(render(run));
  const some = await textOf(exporters[1].render(run, { indices: [5, 99, 0, -1] }));
  const { state, trial_statistics } = run.head;
  const { length } = run.rows;
  await close();
  return { texts, some, problems, state, trial_statistics, length };
}

async function textOf(chunks: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}

describe('a run that is read once', () => {
  it('exports what a run with its rows in memory does, wherever its log ends', async () => {
    const store = await temporaryStore();
    const runId = await eventfulRun(store);
    const folder = join(store.root, 'default', runId);
    const log = join(folder, 'results.jsonl');
    const whole = readFileSync(log);
    const ends = [...whole.keys()].filter((at) => whole[at] === 10);
    expect(ends.length).to.be.greaterThan(25);
    for (const end of fewOf(ends.toReversed(), 8)) {
      for (const size of [end + 1, end, end - 5]) {
        truncateSync(log, size);
        if (size < (ends[0] ?? 0)) continue;
        const streamed = await exported(store, folder, true);
        expect(streamed, `${size} bytes`).to.deep.equal(await exported(store, folder, false));
      }
    }
  });

  it('takes its figures from run.json only where that covers the log', async () => {
    const store = await temporaryStore();
    const runId = await eventfulRun(store);
    const folder = join(store.root, 'default', runId);
    const document = join(folder, 'run.json');
    const before = await exported(store, folder, false);
    expect(await exported(store, folder, true)).to.deep.equal(before);
    const saved = JSON.parse(readFileSync(document, 'utf8'));
    for (const change of [{ log_size: saved.log_size - 1 }, { state: 'running' }, { format: 2 }]) {
      writeFileSync(document, JSON.stringify({ ...saved, ...change, total_passed: 77 }));
      expect(await exported(store, folder, true)).to.deep.equal(before);
    }
    rmSync(document);
    expect(await exported(store, folder, true)).to.deep.equal(before);
    writeFileSync(document, JSON.stringify({ ...saved, total_passed: 77 }));
    expect((await exported(store, folder, true)).texts.json).to.include('"total_passed": 77,');
  });

  it('leaves out lines that cannot be read, and says so', async () => {
    const store = await temporaryStore();
    const runId = await eventfulRun(store);
    const folder = join(store.root, 'default', runId);
    const log = join(folder, 'results.jsonl');
    const lines = readFileSync(log, 'utf8').split('\n');
    for (const lost of fewOf([...lines.keys()], 8)) {
      const kept = lines.map((line, at) => (at === lost ? 'no json' : line));
      writeFileSync(log, kept.join('\n'));
      const streamed = await exported(store, folder, true);
      expect(streamed, `line ${lost}`).to.deep.equal(await exported(store, folder, false));
      if (lost < lines.length - 1) expect(streamed.problems.join()).to.include('cannot be read');
    }
    writeFileSync(log, '');
    rmSync(join(folder, 'run.json'));
    const { code } = await refusal(() => exported(store, folder, true));
    expect(code).to.equal('unreadable-run');
  });
});
