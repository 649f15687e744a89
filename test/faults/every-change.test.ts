import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { renderRunJson } from '../../src/exporters/json.js';
import type { RunJson } from '../../src/model/run.js';
import { hashPlan } from '../../src/model/shard.js';
import { openStore } from '../../src/store/store.js';
import { inTurns } from '../helpers/in-turns.js';
import { fewOf } from '../helpers/rounds.js';
import { finishedRun, readAll, temporaryFolder, temporaryStore } from '../store/builders.js';
import { type FaultKind, makeFaulty } from './faulty-process.js';

const program = fileURLToPath(new URL('children/change.mjs', import.meta.url));
const before = 'trials: 2\n';

type Operation = 'import' | 'merge' | 'export' | 'bless' | 'settings';

interface Said {
  readonly at: number;
  readonly done?: true;
  readonly failed?: string;
  readonly known?: string;
  /** What the file held after a failure. */
  readonly kept?: string;
}

interface Tried {
  readonly folder: string;
  readonly said: readonly Said[];
  readonly ended: string | number | null;
}

/** Does a thing in one process; in each folder another of its changes goes wrong. */
async function change(
  what: Operation,
  kind: FaultKind | 'none',
  numbers: readonly number[],
  report?: string,
): Promise<Tried[]> {
  const below = temporaryFolder();
  const document = join(temporaryFolder(), 'run.json');
  writeFileSync(document, what === 'merge' ? JSON.stringify(await madeParts()) : await exported());
  const { node, env } = makeFaulty({
    below,
    file: join(temporaryFolder(), 'fault.txt'),
    ...(report === undefined ? {} : { report }),
  });
  const folders = numbers.map((at) => join(below, `${at}`));
  const child = spawn(process.execPath, [...node, program, what, kind, document, ...folders], {
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [out, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const lines = out.split('\n').filter((line) => line !== '');
  const said = lines.map((line) => JSON.parse(line) as Said);
  return numbers.map((at, place) => ({
    folder: folders[place] ?? '',
    said: said.filter((one) => one.at === at),
    ended: signal ?? code,
  }));
}

let document: string | undefined;

/** A run of eight results as JSON. */
async function exported(): Promise<string> {
  if (document !== undefined) return document;
  const store = await temporaryStore();
  const run = await store.openRun(await finishedRun(store, 8));
  document = '';
  for await (const piece of renderRunJson(run.snapshot())) document += piece;
  await run.close();
  return document;
}

/** The folders of the two parts of that run. */
async function madeParts(): Promise<readonly string[]> {
  const whole = JSON.parse(await exported()) as RunJson;
  const plan = hashPlan(whole.results.map(({ id }) => id));
  const folders = [1, 2].map(async (part) => {
    const store = await temporaryStore();
    const results = whole.results.filter((_, at) => at % 2 === part - 1);
    const shard = { part, of: 2, cases: whole.results.length, plan, config: '' };
    await store.importRun({ ...whole, shard, results });
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
  const wanted = JSON.parse(await exported());
  if (existsSync(root)) ageHidden(root);
  const store = await openStore(root);
  const runs = await store.listRuns();
  expect(store.warnings).to.deep.equal([]);
  const isDone = said.some(({ done }) => done === true);
  expect(runs).to.have.lengthOf.within(isDone ? 1 : 0, 1);
  for (const run of runs) {
    expect(run).to.include({ run_name: wanted.run_name, state: 'finished' });
    expect(await readAll(store, run.run_id)).to.deep.equal(wanted.results);
  }
  if (!existsSync(root)) return;
  const left = filesBelow(root).filter((name) => name !== 'lock' || runs.length === 0);
  expect(left).to.have.members(runs.length === 1 ? ['results.jsonl', 'run.json'] : []);
}

/** A file is the old one or the new one, and after a failure that was told the old one with nothing beside it. */
function checkFile({ folder, said, ended }: Tried, after: string): void {
  const now = readFileSync(join(folder, 'file'), 'utf8');
  const isDone = said.some(({ done }) => done === true);
  expect(now).to.be.oneOf(isDone ? [after] : [before, after]);
  for (const { kept } of said) if (kept !== undefined) expect(kept).to.equal(before);
  if (ended === 0) expect(filesBelow(folder)).to.deep.equal(['file']);
}

interface WithoutFault {
  /** What the file holds in the end. */
  readonly after: string;
  readonly changes: readonly string[];
}

function makesRun(what: Operation): boolean {
  return what === 'import' || what === 'merge';
}

const done: Partial<Record<Operation, Promise<WithoutFault>>> = {};

/** What a thing does when nothing goes wrong; done once. */
function withoutFault(what: Operation): Promise<WithoutFault> {
  done[what] ??= doOnce(what);
  return done[what];
}

async function doOnce(what: Operation): Promise<WithoutFault> {
  const report = join(temporaryFolder(), 'changes.json');
  const [tried] = await change(what, 'none', [0], report);
  expect(tried?.said).to.deep.equal([{ at: 0, done: true }]);
  const all = JSON.parse(readFileSync(report, 'utf8')) as string[];
  return {
    after: makesRun(what) ? '' : readFileSync(join(tried?.folder ?? '', 'file'), 'utf8'),
    // The folder itself and the file that was there are made by the test.
    changes: all.filter((one) => !/^(mkdirSync 0|writeFileSync 0\/file)$/.test(one)),
  };
}

describe('every single write, sync and rename', () => {
  for (const what of ['import', 'merge', 'export', 'bless', 'settings'] as const) {
    for (const kind of ['kill', 'torn', 'eio', 'enospc', 'short'] as const) {
      it(`of ${what} may go wrong (${kind}): the old state or the new one, and nothing between`, async () => {
        const { after, changes } = await withoutFault(what);
        expect(changes.length).to.be.greaterThan(3);
        const all = changes.map((_, at) => at + 1);
        const endsProcess = kind === 'kill' || kind === 'torn';
        // What ends the process needs one for each.
        const numbers = endsProcess ? fewOf(all, 2) : all;
        const processes = endsProcess ? numbers.map((at) => [at]) : [numbers];
        await inTurns(processes, 3, async (some) => {
          for (const [place, tried] of (await change(what, kind, some)).entries()) {
            const name = `${kind} at ${some[place]} (${changes[(some[place] ?? 0) - 1]})`;
            try {
              if (makesRun(what)) await checkRun(tried);
              else checkFile(tried, after);
              expect(tried.ended).to.equal(endsProcess ? 'SIGKILL' : 0);
              if (!endsProcess) expect(tried.said.at(-1)).to.have.property('done', true);
              const known = tried.said.filter(({ failed }) => failed !== undefined);
              expect(known.every((one) => one.known === 'AssayError')).to.equal(true);
            } catch (error) {
              throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
            }
          }
        });
      }).timeout(120_000);
    }
  }
});
