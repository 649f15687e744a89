import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { inTurns } from '../helpers/in-turns.js';
import { type Ended, Project } from '../helpers/project.js';
import { fewOf, patience, randomNumbers, someOf, times } from '../helpers/rounds.js';
import { type FaultKind, makeFaulty } from './faulty-process.js';

const source = `
import { evaluation } from 'assay';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const row = evaluation(
  { cases: Array.from({ length: 6 }, (_, n) => ({ id: String(n) })) },
  async (ctx) => { await wait(5); ctx.output = 'output ' + ctx.caseId; },
);
`;

/** The command line over a project of six evaluations, one of whose changes of files goes wrong. */
async function runFaulty(fault?: { readonly kind: FaultKind; readonly at: number }): Promise<{
  readonly project: Project;
  readonly ended: Ended;
  readonly changes: () => string[];
}> {
  const project = new Project({ 'a.eval.ts': source });
  const report = project.path('changes.json');
  const { node, env } = makeFaulty({
    below: project.folder,
    report,
    ...(fault === undefined ? {} : { fault }),
  });
  const ended = await project.assay(['run', '-c', '1'], { node, env });
  const changes = () => JSON.parse(readFileSync(report, 'utf8')) as string[];
  return { project, ended, changes };
}

/** What was saved can be read, nothing shows as running, and what is left can be run. */
async function checkSaved(project: Project, what: string): Promise<void> {
  const exported = await project.assay(['export', 'latest', '-f', 'json']);
  // Before a run is saved there is nothing to lose.
  if (exported.stderr.includes('no saved runs')) return;
  expect(exported.code, `${what}: ${exported.stderr}`).to.equal(0);
  const before = JSON.parse(exported.stdout).results as { result: { status: string } }[];
  expect(before.map(({ result }) => result.status)).not.to.include('running');
  const resumed = await project.run(['--resume', 'latest']);
  expect(resumed.run.state, what).to.equal('finished');
  if (before.length === 0) return;
  const after = resumed.run.results;
  expect(new Set(after.map(({ result }) => result.status)), what).to.deep.equal(
    new Set(['completed']),
  );
  for (const [at, row] of before.entries()) {
    if (row.result.status === 'completed') expect(after[at], what).to.deep.equal(row);
  }
}

describe('a command whose files fail', () => {
  const random = randomNumbers();
  let changes: readonly string[] = [];

  before(async () => {
    const { ended, changes: all } = await runFaulty();
    expect(ended.code, ended.stderr).to.equal(0);
    changes = all();
    expect(changes.length).to.be.greaterThan(20);
  });

  /** Some of the changes, each with one of two faults. */
  const sample = (count: number, kinds: readonly [FaultKind, FaultKind]) =>
    someOf(changes.length - 1, count, random).map((at) => ({
      at,
      kind: kinds[random() < 0.5 ? 0 : 1],
    }));

  it('is killed at any of them and loses nothing: what is left can be run', async () => {
    await inTurns(sample(times(1), ['kill', 'torn']), 2, async ({ at, kind }) => {
      const { project, ended, changes: own } = await runFaulty({ kind, at });
      const what = `${kind} at ${at}, ${changes[at - 1]}`;
      // On a busy machine several changes of run.json become one, so there may be fewer than before.
      if (ended.signal === null) expect(own().length, what).to.be.below(at);
      else expect(ended.signal, what).to.equal('SIGKILL');
      await checkSaved(project, what);
    });
  }).timeout(patience);

  it('says in plain words that one of them failed, or does without it', async () => {
    await inTurns(sample(times(1), ['eio', 'enospc']), 2, async ({ at, kind }) => {
      const { project, ended } = await runFaulty({ kind, at });
      const what = `${kind} at ${at}, ${changes[at - 1]}: ${ended.stderr}`;
      expect(ended.code, what).to.be.oneOf([0, 2]);
      expect(ended.stderr, what).not.to.match(/^\s+at /m);
      if (ended.code === 2) {
        expect(ended.stderr, what).to.match(kind === 'eio' ? /Cannot use/ : /no room left/);
      }
      expect(await project.processesLeft(), what).to.deep.equal([]);
      await checkSaved(project, what);
    });
  }).timeout(patience);

  it('hears Ctrl-C at any of them, also just before the first evaluation starts', async () => {
    const scheduled = changes.findIndex((change) => change.includes('"scheduled"')) + 1;
    expect(scheduled).to.be.greaterThan(1);
    // From the last look at the signal to the first evaluation there is no turn of the event loop.
    const others = [...someOf(scheduled, 1, random), scheduled + 1, scheduled + 3];
    const moments = [scheduled, ...fewOf(others, 1)];
    await inTurns(moments, 2, async (at) => {
      const { project, ended } = await runFaulty({ kind: 'sigint', at });
      const what = `at ${at}, ${changes[at - 1]}: ${ended.stderr}`;
      expect(ended.code ?? ended.signal, what).to.be.oneOf([130, 'SIGINT']);
      expect(await project.processesLeft(), what).to.deep.equal([]);
      await checkSaved(project, what);
    });
  }).timeout(patience);
});
