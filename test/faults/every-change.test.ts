import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { renderRunJson } from '../../src/exporters/json.js';
import type { RunJson } from '../../src/model/run.js';
import { hashPlan } from '../../src/model/shard.js';
import { openStore } from '../../src/store/store.js';
import { inTurns } from '../helpers/in-turns.js';
import { fewOf, patience } from '../helpers/rounds.js';
import { finishedRun, readAll, sharedFolder } from '../store/builders.js';
import { type FaultKind, makeFaulty } from './faulty-process.js';

const program = fileURLToPath(new URL('children/change.mjs', import.meta.url));
const oldText = 'trials: 2\n';

const operations = ['import', 'merge', 'export', 'bless', 'settings'] as const;
type Operation = (typeof operations)[number];
const kinds = ['kill', 'torn', 'eio', 'enospc', 'short'] as const;

/** A change of a thing that goes wrong. */
interface Fault {
  readonly what: Operation;
  readonly kind: FaultKind | 'none';
  /** Counted from 1. */
  readonly at: number;
}

interface Said {
  /** Of the folder. */
  readonly name: string;
  readonly done?: true;
  readonly failed?: string;
  readonly known?: string;
  /** What the file held after a failure. */
  readonly kept?: string;
}

interface Tried extends Fault {
  readonly folder: string;
  readonly said: readonly Said[];
  readonly ended: string | number | null;
}

const nameOf = ({ what, kind, at }: Fault) => `${what}-${kind}@${at}`;

/** Does things in one process, each in a folder of its own, where one change goes wrong. */
async function change(faults: readonly Fault[], report?: string): Promise<Tried[]> {
  const below = sharedFolder();
  const { node, env } = makeFaulty({
    below,
    file: join(sharedFolder(), 'fault.txt'),
    ...(report === undefined ? {} : { report }),
  });
  const folders = faults.map((fault) => join(below, nameOf(fault)));
  const child = spawn(process.execPath, [...node, program, document, ...folders], {
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [out, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const lines = out.split('\n').filter((line) => line !== '');
  const said = lines.map((line) => JSON.parse(line) as Said);
  return faults.map((fault, at) => ({
    ...fault,
    folder: folders[at] ?? '',
    said: said.filter(({ name }) => name === nameOf(fault)),
    ended: signal ?? code,
  }));
}

/** A run of eight results. */
let whole: RunJson;
/** A file with it and the folders of its two parts. */
let document: string;

async function writeDocument(): Promise<void> {
  const store = await openStore(join(sharedFolder(), 'sessions'));
  const run = await store.openRun(await finishedRun(store, 8));
  let json = '';
  for await (const piece of renderRunJson(run.snapshot())) json += piece;
  await run.close();
  whole = JSON.parse(json);
  document = join(sharedFolder(), 'run.json');
  writeFileSync(document, JSON.stringify({ whole, parts: await madeParts() }));
}

async function madeParts(): Promise<readonly string[]> {
  const plan = hashPlan(whole.results.map(({ id }) => id));
  const folders = [1, 2].map(async (part) => {
    const store = await openStore(join(sharedFolder(), 'sessions'));
    const results = whole.results.filter((_, at) => at % 2 === part - 1);
    const shard = { part, of: 2, cases: whole.results.length, plan, config: '' };
    await store.importRun({ ...whole, total_evaluations: results.length, shard, results });
    return (await store.listRuns()).map(({ folder }) => folder);
  });
  return (await Promise.all(folders)).flat();
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

/** Lets time pass in which a process that makes a run would have put its lock into the folder. */
function ageHidden(folder: string): void {
  const past = new Date(Date.now() - 120_000);
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const { name, parentPath } of entries) {
    if (name.startsWith('.new-')) utimesSync(join(parentPath, name), past, past);
  }
}

/** An imported or merged run is there with all its results, or not at all; nothing else is left of it. */
async function checkRun({ folder, said }: Tried): Promise<void> {
  const root = join(folder, 'sessions');
  if (existsSync(root)) ageHidden(root);
  const store = await openStore(root);
  const runs = await store.listRuns();
  expect(store.warnings).to.deep.equal([]);
  const isDone = said.some(({ done }) => done === true);
  expect(runs).to.have.lengthOf.within(isDone ? 1 : 0, 1);
  for (const run of runs) {
    expect(run).to.include({ run_name: whole.run_name, state: 'finished' });
    expect(await readAll(store, run.run_id)).to.deep.equal(whole.results);
  }
  if (!existsSync(root)) return;
  const left = filesBelow(root).filter((name) => name !== 'lock' || runs.length === 0);
  expect(left).to.have.members(runs.length === 1 ? ['results.jsonl', 'run.json'] : []);
}

/** A file is the old one or the new one, and after a failure that was told the old one with nothing beside it. */
function checkFile({ folder, said, ended }: Tried, after: string): void {
  const now = readFileSync(join(folder, 'file'), 'utf8');
  const isDone = said.some(({ done }) => done === true);
  expect(now).to.be.oneOf(isDone ? [after] : [oldText, after]);
  for (const { kept } of said) if (kept !== undefined) expect(kept).to.equal(oldText);
  if (ended === 0) expect(filesBelow(folder)).to.deep.equal(['file']);
}

interface WithoutFault {
  /** What the file holds in the end. */
  readonly after: string;
  readonly changes: readonly string[];
}

/** What each thing does when nothing goes wrong. */
async function withoutFaults(): Promise<Map<Operation, WithoutFault>> {
  const report = join(sharedFolder(), 'changes.json');
  const tried = await change(
    operations.map((what) => ({ what, kind: 'none', at: 0 })),
    report,
  );
  const all = JSON.parse(readFileSync(report, 'utf8')) as string[];
  return new Map(
    tried.map(({ what, folder, said }) => {
      const name = basename(folder);
      expect(said).to.deep.equal([{ name, done: true }]);
      // The folder itself and the file that was there are made by the test.
      const own = all
        .filter((one) => one.split(/[ /]/)[1] === name)
        .filter((one) => ![`mkdirSync ${name}`, `writeFileSync ${name}/file`].includes(one));
      const after = makesRun(what) ? '' : readFileSync(join(folder, 'file'), 'utf8');
      return [what, { after, changes: own }];
    }),
  );
}

function makesRun(what: Operation): boolean {
  return what === 'import' || what === 'merge';
}

describe('every single write, sync and rename', function () {
  this.timeout(patience);
  let expected: Map<Operation, WithoutFault>;
  const tried: Tried[] = [];

  /** What goes wrong with a thing. What ends the process needs one for each; being torn is for what is written. */
  function faultsOf(what: Operation, kind: FaultKind): Fault[] {
    const { changes = [] } = expected.get(what) ?? {};
    expect(changes.length).to.be.greaterThan(3);
    const all = changes.map((_, at) => ({ what, kind, at: at + 1 }));
    if (kind === 'kill') return fewOf(all, 2);
    if (kind !== 'torn') return all;
    return fewOf(
      all.filter(({ at }) => changes[at - 1]?.startsWith('write')),
      1,
    );
  }

  before(async () => {
    await writeDocument();
    expected = await withoutFaults();
    const faults = operations.flatMap((what) => kinds.flatMap((kind) => faultsOf(what, kind)));
    const isEnd = ({ kind }: Fault) => kind === 'kill' || kind === 'torn';
    const processes = [
      faults.filter((fault) => !isEnd(fault)),
      ...faults.filter(isEnd).map((fault) => [fault]),
    ];
    await inTurns(processes, 3, async (some) => {
      tried.push(...(await change(some)));
    });
  });

  for (const what of operations) {
    for (const kind of kinds) {
      it(`of ${what} may go wrong (${kind}): the old state or the new one, and nothing between`, async () => {
        const { after = '', changes = [] } = expected.get(what) ?? {};
        const own = tried.filter((one) => one.what === what && one.kind === kind);
        expect(own).not.to.be.empty;
        for (const one of own) {
          try {
            if (makesRun(what)) await checkRun(one);
            else checkFile(one, after);
            const endsProcess = kind === 'kill' || kind === 'torn';
            expect(one.ended).to.equal(endsProcess ? 'SIGKILL' : 0);
            if (!endsProcess) expect(one.said.at(-1)).to.have.property('done', true);
            const known = one.said.filter(({ failed }) => failed !== undefined);
            expect(known.every((failure) => failure.known === 'AssayError')).to.equal(true);
          } catch (error) {
            const name = `${kind} at ${one.at} (${changes[one.at - 1]})`;
            throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
          }
        }
      });
    }
  }
});
