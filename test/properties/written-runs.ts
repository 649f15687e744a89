import fc from 'fast-check';
import type { Json, ResultEntry } from '../../src/model/result.js';
import type { Score } from '../../src/model/scores/score.js';
import type { RunOwner } from '../../src/store/run-owner.js';
import type { Store } from '../../src/store/store.js';
import type { StoredRun } from '../../src/store/stored-run.js';
import { finished, newRun, plan } from '../store/builders.js';
import { anyText } from './hostile-values.js';
import type { Picture } from './read-by-the-book.js';

/** One thing done to a run through the store. */
export interface Step {
  readonly deed: keyof typeof deeds;
  /** The rows meant, as far as the run has them. */
  readonly rows: readonly number[];
  readonly text: string;
  readonly value: Json;
  readonly scores: readonly Score[];
  readonly flag: boolean;
}

/** Steps of the life of a run. */
export function steps(options: { readonly most: number }): fc.Arbitrary<Step[]> {
  const step = fc.record({
    deed: fc.oneof(
      fc.constantFrom(...(Object.keys(deeds) as (keyof typeof deeds)[])),
      fc.constantFrom('runsAgain', 'finishes', 'regrades', 'edits'),
    ),
    rows: fc.uniqueArray(fc.nat(3), { minLength: 1, maxLength: 3 }),
    text: anyText().map((text) => text.toWellFormed()),
    value: fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<Json>,
    scores: fc.uniqueArray(anyScore(), { selector: ({ key }) => key, maxLength: 3 }),
    flag: fc.boolean(),
  });
  return fc.array(step, { minLength: 1, maxLength: options.most });
}

function anyScore(): fc.Arbitrary<Score> {
  const key = fc.constantFrom('exact', 'size', 'ü', '__proto__');
  const value = fc.oneof(
    fc.double({ noDefaultInfinity: true, noNaN: true }).map((number) => number + 0),
    fc.constantFrom(1.7e308, -1.7e308),
  );
  return fc.oneof(
    fc.record({ key, passed: fc.boolean() }),
    fc.record({ key, value, notes: fc.string() }),
  );
}

/** A run of two rows to which all the steps were done; `onStep` is called after each. */
export async function writeRun(
  store: Store,
  toDo: readonly Step[],
  onStep: (owner: RunOwner) => Promise<void> = async () => undefined,
): Promise<StoredRun> {
  let owner = await store.createRun(newRun());
  owner.plan([plan(0), plan(1)]);
  for (const step of toDo) {
    owner = (await deeds[step.deed](owner, step, store)) ?? owner;
    await onStep(owner);
  }
  await owner.release();
  return owner.run;
}

type Deed = (owner: RunOwner, step: Step, store: Store) => unknown;

const deeds = {
  plansMore: (owner, { value, text, flag }) => {
    const index = owner.run.rows.length;
    const trial = flag ? { trial: 1, trial_of: 'evals/a.eval.ts::more' } : {};
    owner.plan([plan(index, { input: value, metadata: { [text]: value }, ...trial })]);
  },
  plansAgain: (owner, step) => {
    const { text, value, flag } = step;
    const change = { dataset: text, reference: value, labels: flag ? [text] : [] };
    owner.plan(rowsIn(owner, step).map((index) => plan(index, change)));
  },
  runs: (owner, step) => owner.schedule({ kind: 'run', rows: some(owner, step) }),
  runsAgain: (owner, step) => owner.schedule({ kind: 'rerun', rows: some(owner, step) }),
  runsAll: (owner, step) => {
    const newPass = rowsIn(owner, step);
    owner.schedule({ kind: 'rerun', rows: newPass, newPass, beginsPass: step.flag });
  },
  resumes: (owner, step) => owner.schedule({ kind: 'resume', rows: rowsIn(owner, step) }),
  gradesAgain: (owner, step) => owner.schedule({ kind: 'regrade', rows: rowsIn(owner, step) }),
  finishes: (owner, step) => {
    const { value, text, scores, flag } = step;
    owner.finish(
      rowsIn(owner, step).map((index) =>
        finished(index, {
          status: flag ? 'completed' : 'error',
          output: value,
          error: flag ? null : text,
          scores,
          regradable: flag,
          trace_data: { [text]: value },
          ...(flag ? { metadata: { set: value } } : {}),
          ...(!flag && text.length % 2 === 1 ? { no_draw: true } : {}),
        }),
      ),
    );
  },
  regrades: (owner, step) => {
    const { text, scores, value, flag } = step;
    const graded = flag
      ? { status: 'completed', error: null, trace_data: { value }, pass: text.length % 2 === 1 }
      : { status: 'error', error: text, metadata: { value } };
    owner.regrade(rowsIn(owner, step).map((index) => ({ index, scores, ...graded }) as never));
  },
  cancels: (owner, step) => owner.cancel(rowsIn(owner, step)),
  marks: (owner, step) => {
    const waiting = rowsIn(owner, step).filter((at) => owner.run.rows[at]?.status === 'pending');
    owner.markRunning(waiting);
  },
  annotates: (owner, step) => editAll(owner, step, { annotation: step.text }),
  judges: (owner, step) => editAll(owner, step, { scores: step.scores }),
  edits: (owner, { rows: [index = 0], text, scores }) => {
    if (owner.run.rows[index] === undefined) return undefined;
    return owner.run.edit(index, { annotation: text, scores }).then(() => undefined);
  },
  restores: (owner, step) => {
    const { text, value, scores, flag } = step;
    const timestamp = '2026-01-02T03:04:05.678Z';
    owner.restore(
      rowsIn(owner, step).map((index) => ({
        ...finished(index, { output: value, scores }),
        status: flag ? 'completed' : 'cancelled',
        repeat: text.length % 2 === 1,
        annotation: text,
        correction_history: [{ field: 'annotation', before: '', after: text, timestamp }],
      })),
    );
  },
  renames: (owner, { text }) =>
    owner.run.rename(`${text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '')}.`),
  closes: (owner, { flag }, store) =>
    again(owner, store, () => owner.close(flag ? 'finished' : 'stopped')),
  crashes: (owner, _, store) => again(owner, store, () => owner.release()),
} satisfies Record<string, Deed>;

function rowsIn({ run }: RunOwner, { rows }: Step): number[] {
  return rows.filter((index) => run.rows[index] !== undefined);
}

function some(owner: RunOwner, step: Step): 'all' | number[] {
  return step.flag ? 'all' : rowsIn(owner, step);
}

async function editAll(owner: RunOwner, step: Step, change: Parameters<StoredRun['edit']>[1]) {
  for (const index of rowsIn(owner, step)) await owner.run.edit(index, change);
}

async function again(
  owner: RunOwner,
  store: Store,
  giveBack: () => Promise<void>,
): Promise<RunOwner> {
  await giveBack();
  await owner.run.close();
  return store.ownRun(owner.run.runId);
}

/** A run as it is in memory and read from its log. */
export async function pictureOf(run: StoredRun): Promise<Picture> {
  const results: ResultEntry[] = [];
  for await (const { entry } of run.entries()) {
    // Only for imports, and only where they differ from the metadata of the result.
    const { authored_metadata: _, ...result } = entry.result;
    results.push({ ...entry, result });
  }
  const { run_id, session_name, run_name, path, config_name, state, ...head } = run.head();
  const { created_at, started_at, updated_at } = head;
  const times = { created_at, started_at, updated_at };
  const { total_evaluations, total_passed, total_errors, total_with_scores } = head;
  const totals = { total_evaluations, total_passed, total_errors, total_with_scores };
  return {
    head: { run_id, session_name, run_name, path, config_name, state, ...times, ...totals },
    results: results as unknown as Picture['results'],
    attempts: [...run.rows.keys()].map((index) => run.attempts(index)) as never,
    selectedTotal: run.selectedTotal,
  };
}
