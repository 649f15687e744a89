import { expect } from 'chai';
import { jsonExporter } from '../../src/exporters/json.js';
import type { Usage } from '../../src/model/calls/usage.js';
import type { RunHead } from '../../src/model/run.js';
import type { RunOwner } from '../../src/store/run-owner.js';
import type { Store } from '../../src/store/store.js';
import { openStreamedRun } from '../../src/store/streamed-run.js';
import { finished, startedRun, temporaryStore } from './builders.js';

/** One call of the target, and with a judge one more; a call has 10 tokens and costs $1. */
function used(...roles: readonly string[]): Usage {
  const totals = (calls: number) => ({ calls, input: 10 * calls, cost: calls });
  return {
    ...totals(roles.length),
    by_role: Object.fromEntries(roles.map((role) => [role, totals(1)])),
  };
}

const judge = 'evaluator:judge';
const ran = (index: number, ...roles: readonly string[]) =>
  finished(index, {
    usage: used(...roles),
    output: `${index} ${Math.random()}`,
    started_at: new Date(++second * 1000).toISOString(),
  });
const grade = (index: number, more = {}) => ({
  index,
  status: 'completed' as const,
  error: null,
  scores: [{ key: 'exact', passed: true }],
  usage: used('target', judge),
  ...more,
});
let second = 0;

/** Calls, tokens and dollars, and those of them that no result shows. */
function spent({ usage, unlisted_cost }: Pick<RunHead, 'usage' | 'unlisted_cost'>): string {
  const { calls, input, cost, replaced, unlisted } = usage ?? { calls: 0, cost: 0 };
  return [
    `${calls} calls, ${input} tokens, $${cost}`,
    ...(replaced ? [`${replaced.calls} of ${replaced.results} replaced, $${replaced.cost}`] : []),
    ...(unlisted ? [`${unlisted.calls} stopped, $${unlisted.cost} = $${unlisted_cost}`] : []),
  ].join('; ');
}

describe('what a run spent', () => {
  let store: Store;
  let owner: RunOwner;

  beforeEach(async () => {
    store = await temporaryStore();
    owner = await startedRun(store, 3);
    owner.finish([ran(0, 'target'), ran(1, 'target', judge), ran(2, 'target', judge)]);
  });
  afterEach(() => owner.run.close());

  /** Starts the next execution, once the last has ended. */
  function schedule(execution: Parameters<RunOwner['schedule']>[0]): void {
    owner.end({ outcome: 'finished' });
    owner.schedule(execution);
  }

  /** The same as read from its files, row by row, and after an export and an import. */
  async function everywhere(): Promise<string> {
    const here = spent(owner.run.head());
    await owner.close('finished');
    const { folder, runId } = owner.run;
    const heads: Record<string, Pick<RunHead, 'usage' | 'unlisted_cost'>> = {};
    const again = await store.openRun(runId);
    heads.stored = again.head();
    await again.close();
    const streamed = await openStreamedRun(folder);
    heads.streamed = streamed.run.head;
    let text = '';
    for await (const piece of jsonExporter.render(streamed.run)) text += piece;
    await streamed.close();
    const other = await temporaryStore();
    const { run_id } = await other.importRun(JSON.parse(text));
    const imported = await other.openRun(run_id);
    heads.imported = imported.head();
    await imported.close();
    for (const [name, head] of Object.entries(heads)) {
      expect(spent(head), name).to.equal(here);
    }
    return here;
  }

  it('is the sum over repeats and later passes, too', async () => {
    schedule({ kind: 'rerun', rows: [1, 2] });
    owner.finish([ran(1, 'target'), ran(2, 'target')]);
    expect(spent(owner.run.head())).to.equal('7 calls, 70 tokens, $7; 4 of 2 replaced, $4');
    schedule({ kind: 'rerun', rows: 'all', newPass: [0, 1, 2], beginsPass: true });
    owner.finish([ran(0, 'target'), ran(1, 'target'), ran(2, 'target')]);
    expect(await everywhere()).to.equal('10 calls, 100 tokens, $10; 7 of 3 replaced, $7');
  });

  it('is not less while rows wait to run again, or when they are stopped then', async () => {
    schedule({ kind: 'rerun', rows: [1, 2] });
    expect(spent(owner.run.head())).to.equal('5 calls, 50 tokens, $5; 4 of 2 replaced, $4');
    owner.cancel([1, 2]);
    expect(await everywhere()).to.equal('5 calls, 50 tokens, $5; 4 of 2 replaced, $4');
  });

  it('has the calls of each grading, and those of the target once', async () => {
    schedule({ kind: 'regrade', rows: [1, 2] });
    owner.regrade([grade(1), grade(2)]);
    schedule({ kind: 'regrade', rows: [1] });
    owner.regrade([grade(1)]);
    expect(await everywhere()).to.equal('8 calls, 80 tokens, $8; 3 of 2 replaced, $3');
  });

  it('has the calls that grade the attempt that counts beside a repeat', async () => {
    schedule({ kind: 'rerun', rows: [1] });
    owner.finish([ran(1, 'target', judge)]);
    schedule({ kind: 'regrade', rows: [1], newPass: [1] });
    owner.regrade([grade(1), grade(1, { attempt: 'counted' })]);
    // Three attempts of rows, a repeat, and two more gradings.
    expect(await everywhere()).to.equal('9 calls, 90 tokens, $9; 4 of 1 replaced, $4');
  });

  it('has results that are pruned, and no results of other runs', async () => {
    const origin = { run_id: 'a', run_name: 'a', kind: 'carried' } as const;
    const { status, output, scores, error, latency, trace_data } = finished(0);
    const values = { status, output, scores, error, latency, trace_data };
    const taken = { annotation: '', correction_history: [], origin, usage: used('target', judge) };
    owner.restore([{ index: 0, ...values, ...taken }]);
    schedule({ kind: 'rerun', rows: [0] });
    owner.finish([ran(0, 'target')]);
    owner.prune([2]);
    expect(await everywhere()).to.equal('5 calls, 50 tokens, $5; 2 of 1 replaced, $2');
  });

  it('has attempts without a result, as far as they are known', async () => {
    owner.end({ outcome: 'stopped', unlisted: used('target', judge) });
    schedule({ kind: 'resume', rows: [2] });
    owner.finish([ran(2, 'target')]);
    owner.end({ outcome: 'finished', unlisted: used('target') });
    const text = '9 calls, 90 tokens, $9; 2 of 1 replaced, $2; 3 stopped, $3 = $3';
    expect(await everywhere()).to.equal(text);
  });

  it('is at least so much once an execution was cut off, or calls after a stop are not known', async () => {
    owner.schedule({ kind: 'resume', rows: [2] });
    owner.finish([ran(2, 'target')]);
    const isAtLeast = (line: object) =>
      expect(owner.run.head().usage).to.deep.include({ cut_off: 1, unpriced: 1, ...line });
    isAtLeast({ calls: 6, cost: 6 });
    owner.end({ outcome: 'stopped', may_call: true });
    owner.addUnlisted(used('target'));
    owner.settle();
    owner.schedule({ kind: 'resume', rows: [2] });
    owner.finish([ran(2, 'target')]);
    isAtLeast({ calls: 8, cost: 8 });
    owner.end({ outcome: 'stopped', may_call: true });
    owner.schedule({ kind: 'resume', rows: [2] });
    owner.finish([ran(2, 'target')]);
    expect(owner.run.head().usage).to.deep.include({ cut_off: 2, unpriced: 2, calls: 9 });
    await owner.release();
    const again = await store.openRun(owner.run.runId);
    expect(again.head().usage).to.deep.include({ cut_off: 3, unpriced: 3 });
    await again.close();
  });

  it('is not known when nothing had finished before its process was killed, and nothing when no result calls models', async () => {
    const killed = await startedRun(store, 2);
    await killed.release();
    const run = await store.openRun(killed.run.runId);
    expect(run.head().usage).to.deep.include({ calls: 0, cost: null, cut_off: 1 });
    const again = await startedRun(store, 2);
    again.finish([finished(0)]);
    await again.release();
    const plain = await store.openRun(again.run.runId);
    expect(plain.head()).to.not.have.property('usage');
    await Promise.all([run.close(), plain.close()]);
  });

  it('counts for a budget since its execution began, or the one that it resumes', async () => {
    expect(owner.run.spentOfBudget.cost).to.equal(5);
    schedule({ kind: 'rerun', rows: [1, 2] });
    expect(owner.run.spentOfBudget.cost).to.equal(0);
    owner.finish([ran(1, 'target')]);
    owner.end({ outcome: 'stopped', unlisted: used('target') });
    expect(owner.run.spentOfBudget.cost).to.equal(2);
    schedule({ kind: 'resume', rows: [2] });
    owner.finish([ran(2, 'target')]);
    await owner.release();
    const again = await store.openRun(owner.run.runId);
    expect(again.spentOfBudget.cost).to.equal(3);
    await again.close();
  });
});
