import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { ResultEntry } from '../../src/model/result.js';
import { openStore, type Store } from '../../src/store/store.js';
import { inTurns } from '../helpers/in-turns.js';
import { fewOf, patience } from '../helpers/rounds.js';
import { finished, readAll, sharedFolder } from '../store/builders.js';
import { type FaultKind, makeFaulty } from './faulty-process.js';

const runId = '0123456789ab';
const program = fileURLToPath(new URL('children/record.mjs', import.meta.url));

/** A step of the process, as it said itself. */
interface Said {
  /** What went wrong in this run. */
  readonly fault: string;
  readonly step: string;
  /** The code of the error; absent when it was told that the step was saved. */
  readonly failed?: string;
  readonly known?: string;
}

/** A change that goes wrong. */
interface Fault {
  readonly kind: FaultKind | 'none';
  /** Counted from 1. */
  readonly at: number;
}

interface Recorded extends Fault {
  readonly root: string;
  readonly signal: NodeJS.Signals | null;
  readonly code: number | null;
  readonly failed: readonly Said[];
  /** Steps that were acknowledged. */
  readonly saved: ReadonlySet<string>;
}

/** Lets a process record runs one after the other: in each, another change of a file goes wrong. */
async function record(faults: readonly Fault[], report?: string): Promise<Recorded[]> {
  const below = sharedFolder();
  const { node, env } = makeFaulty({
    below,
    file: join(sharedFolder(), 'fault.txt'),
    ...(report === undefined ? {} : { report }),
  });
  const nameOf = ({ kind, at }: Fault) => `${kind}@${at}`;
  const folders = faults.map((fault) => join(below, nameOf(fault)));
  const child = spawn(process.execPath, [...node, program, runId, ...folders], {
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [out, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const said = out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Said);
  return faults.map((fault, at) => {
    const own = said.filter((one) => one.fault === nameOf(fault));
    return {
      ...fault,
      root: join(folders[at] ?? '', '.assay', 'sessions'),
      code,
      signal,
      failed: own.filter((one) => one.failed !== undefined),
      saved: new Set(own.filter((one) => one.failed === undefined).map((one) => one.step)),
    };
  });
}

/** Everything that was acknowledged is there, unchanged; what was not is there as a whole or not at all. */
function checkEntries(entries: readonly ResultEntry[], saved: ReadonlySet<string>): void {
  for (const [index, { result }] of entries.entries()) {
    const isSaved = [...saved].some((step) => /^finished/.test(step) && step.includes(`${index}`));
    if (isSaved) expect(result.status, `${index}`).to.equal('completed');
    expect(result.status, `${index}`).to.be.oneOf(['not_started', 'pending', 'completed']);
    if (result.status === 'completed') expect(result.output).to.equal(`output ${index}`);
  }
  const [first, second, third] = entries.map(({ result }) => result);
  if (saved.has('planned')) expect(entries).to.have.lengthOf(4);
  if (saved.has('edited 0')) expect(first?.annotation).to.equal('note');
  if (saved.has('edited 1')) {
    expect(second?.scores).to.deep.equal([{ key: 'exact', passed: false, source: 'human' }]);
  }
  if (saved.has('edited 2')) expect(third?.annotation).to.equal('after');
}

async function checkListing(store: Store, { saved }: Recorded): Promise<boolean> {
  const runs = await store.listRuns();
  expect(store.warnings).to.deep.equal([]);
  expect(runs).to.have.lengthOf.within(saved.has('made') ? 1 : 0, 1);
  const [run] = runs;
  if (run === undefined) return false;
  expect(run.state).to.be.oneOf(['not_started', 'interrupted', 'finished']);
  if (saved.has('renamed')) expect(run.run_name).to.equal('second');
  return true;
}

/** What is left to do can be done, and nothing that was there before changes by it. */
async function checkResume(store: Store, { saved }: Recorded): Promise<void> {
  const owner = await store.ownRun(runId);
  const left = owner.run.rows.flatMap((row, index) => (row.status === 'completed' ? [] : [index]));
  owner.schedule({ kind: 'resume', rows: left });
  owner.finish(left.map((index) => ({ ...finished(index), output: `output ${index}` })));
  await owner.close('finished');
  await owner.run.close();
  const entries = await readAll(store, runId);
  expect(entries.every(({ result }) => result.status === 'completed')).to.equal(true);
  checkEntries(entries, saved);
  const [run] = await store.listRuns();
  expect(run).to.include({ state: 'finished', total_evaluations: entries.length });
}

function filesBelow(root: string): string[] {
  const names = readdirSync(root, { recursive: true, withFileTypes: true });
  return names.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

async function check(recorded: Recorded): Promise<void> {
  const store = await openStore(recorded.root);
  if (!(await checkListing(store, recorded))) return;
  checkEntries(await readAll(store, runId), recorded.saved);
  await checkResume(store, recorded);
  const left = filesBelow(recorded.root).filter(
    (name) => !name.startsWith('results.jsonl.broken-'),
  );
  expect(left).to.have.members(['results.jsonl', 'run.json']);
}

async function listChanges(): Promise<readonly string[]> {
  const report = join(sharedFolder(), 'changes.json');
  const [recorded] = await record([{ kind: 'none', at: 0 }], report);
  expect(recorded?.code).to.equal(0);
  return JSON.parse(readFileSync(report, 'utf8')) as string[];
}

describe('every single write, sync and rename of a run and its edits', function () {
  this.timeout(patience);
  let changes: readonly string[];
  let survived: readonly Recorded[];

  const each = (kind: FaultKind) => changes.map((_, at) => ({ kind, at: at + 1 }));

  before(async () => {
    changes = await listChanges();
    expect(changes.length).to.be.greaterThan(30);
    survived = await record([...each('eio'), ...each('enospc'), ...each('short')]);
  });

  /** Says which change it was when something is not as it must be. */
  async function checkEach(
    some: readonly Recorded[],
    say: (recorded: Recorded) => void,
  ): Promise<void> {
    for (const recorded of some) {
      try {
        say(recorded);
        await check(recorded);
      } catch (error) {
        const { kind, at } = recorded;
        const name = `${kind} at ${at} (${changes[at - 1]})`;
        throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
      }
    }
  }

  // What ends the process needs one for each; being torn is for what is written.
  for (const [kind, when, count, isMeant] of [
    ['kill', 'before it', 4, /./],
    ['torn', 'in the middle of it', 2, /^write/],
  ] as const) {
    it(`may be the last: kill -9 ${when} loses nothing that was told to be saved`, async () => {
      const meant = each(kind).filter(({ at }) => isMeant.test(changes[at - 1] ?? ''));
      await inTurns(fewOf(meant, count), 3, async (fault) =>
        checkEach(await record([fault]), ({ signal }) => expect(signal).to.equal('SIGKILL')),
      );
    });
  }

  const survivors = (kind: FaultKind) => survived.filter((one) => one.kind === kind);

  for (const [kind, code, what] of [
    ['eio', 'storage-unusable', 'an I/O error'],
    ['enospc', 'storage-full', 'a full disk that took half of it'],
  ] as const) {
    it(`may fail with ${what}: that is told, changes nothing else, and trying again works`, async () => {
      await checkEach(survivors(kind), ({ code: exit, failed, saved }) => {
        expect(exit).to.equal(0);
        expect(failed.map((one) => one.failed)).to.deep.equal(failed.map(() => code));
        expect(failed.map((one) => one.known)).to.deep.equal(failed.map(() => 'AssayError'));
        expect(saved.size).to.be.within(11, 12);
      });
    });
  }

  it('may take only a part at first, which nobody notices', async () => {
    await checkEach(survivors('short'), ({ code, failed, saved }) => {
      expect([code, failed, saved.size]).to.deep.equal([0, [], 12]);
    });
  });
});
