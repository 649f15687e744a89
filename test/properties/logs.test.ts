import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { openStore, type Store } from '../../src/store/store.js';
import { patience, rounds } from '../helpers/rounds.js';
import { finished, plan, refusal, startedRun, temporaryFolder } from '../store/builders.js';
import { type Picture, readByTheBook } from './read-by-the-book.js';
import { pictureOf, type Step, steps, writeRun } from './written-runs.js';

/** A log that the store has written, in a results directory of its own. */
interface Written {
  readonly store: Store;
  readonly runId: string;
  readonly folder: string;
  readonly log: string;
  readonly bytes: Buffer;
}

async function write(toDo: readonly Step[], root = temporaryFolder()): Promise<Written> {
  rmSync(root, { recursive: true, force: true });
  const store = await openStore(root);
  const run = await writeRun(store, toDo);
  await run.close();
  const { runId, folder } = run;
  const log = join(folder, 'results.jsonl');
  return { store, runId, folder, log, bytes: readFileSync(log) };
}

/** Lines that are whole; the last may lack its line end. */
function intactLines(bytes: Buffer, written: Buffer): string[] {
  const known = new Set(written.toString('latin1').split('\n').filter(Boolean));
  const lines = bytes.toString('latin1').split('\n');
  return lines
    .filter((line) => known.has(line))
    .map((line) => Buffer.from(line, 'latin1').toString('utf8'));
}

async function readAfresh({ store, runId }: Written): Promise<Picture> {
  const run = await store.openRun(runId);
  try {
    return await pictureOf(run);
  } finally {
    await run.close();
  }
}

/** The log reads as what its intact lines add up to; without an intact first line, it says so. */
async function expectIntactLines(written: Written, harmed: Buffer): Promise<void> {
  rmSync(join(written.folder, 'run.json'), { force: true });
  writeFileSync(written.log, harmed);
  const picture = readByTheBook(intactLines(harmed, written.bytes));
  if (picture !== undefined) {
    expect(await readAfresh(written)).to.deep.equal(picture);
    return;
  }
  const error = await refusal(() => written.store.openRun(written.runId));
  expect(error).to.include({ code: 'unreadable-run' });
  expect(error.message).to.include(written.folder);
}

describe('a log, whatever was written', function () {
  this.timeout(patience);

  it('is in memory what it is by the book, after every step and read afresh', async () => {
    const root = temporaryFolder();
    await fc.assert(
      fc.asyncProperty(steps({ most: 14 }), async (toDo) => {
        rmSync(root, { recursive: true, force: true });
        const store = await openStore(root);
        const run = await writeRun(store, toDo, async ({ run }) => {
          expectSame(await pictureOf(run), run.log.path);
        });
        await run.close();
        const reopened = await store.openRun(run.runId);
        const picture = await pictureOf(reopened);
        await reopened.close();
        expect(picture).to.deep.equal(bookOf(run.log.path));
        expect((await store.listRuns())[0]).to.include({
          run_id: run.runId,
          run_name: picture.head.run_name,
          state: picture.head.state,
          total_passed: picture.head.total_passed,
        });
      }),
      rounds(12),
    );
  });

  it('cut at any byte reads as what its whole lines add up to', async () => {
    const root = temporaryFolder();
    await fc.assert(
      fc.asyncProperty(steps({ most: 5 }), async (toDo) => {
        const written = await write(toDo, root);
        for (let size = written.bytes.length; size >= 0; size -= 1) {
          await expectIntactLines(written, written.bytes.subarray(0, size));
        }
      }),
      rounds(1),
    );
  });

  it('with zeros or garbage anywhere reads as what its intact lines add up to', async () => {
    const root = temporaryFolder();
    await fc.assert(
      fc.asyncProperty(
        steps({ most: 10 }),
        fc.array(damage(), { minLength: 1 }),
        async (toDo, all) => {
          const written = await write(toDo, root);
          for (const one of all) await expectIntactLines(written, damaged(written.bytes, one));
        },
      ),
      rounds(12),
    );
  });

  it('with lines longer than what is read at a time is cut at any byte like a short one', async () => {
    const root = temporaryFolder();
    const store = await openStore(root);
    const owner = await startedRun(store, 3);
    owner.plan([plan(3, { input: 'ü'.repeat(700_000) })]);
    owner.finish([0, 1, 3].map((index) => finished(index, { output: '日'.repeat(400_000) })));
    await owner.run.edit(1, { annotation: 'kept' });
    await owner.close('finished');
    await owner.run.close();
    const { runId, folder } = owner.run;
    const log = join(folder, 'results.jsonl');
    const bytes = readFileSync(log);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length), (size) =>
        expectIntactLines({ store, runId, folder, log, bytes }, bytes.subarray(0, size)),
      ),
      rounds(6),
    );
  });
});

describe('a damaged log, whatever was written', function () {
  this.timeout(patience);

  it('takes edits, keeps them, and gives its torn end to a file that it names', async () => {
    const root = temporaryFolder();
    await fc.assert(
      fc.asyncProperty(steps({ most: 8 }), damage(), fc.boolean(), async (toDo, harm, isOwned) => {
        const written = await write(toDo, root);
        const header = written.bytes.indexOf(10) + 1;
        const harmed = Buffer.concat([
          written.bytes.subarray(0, header),
          damaged(written.bytes.subarray(header), harm),
        ]);
        writeFileSync(written.log, harmed);
        const before = bookOf(written.log, written.bytes);
        if (isOwned) await expectTakenOver(written, harmed, before);
        const after = before.results.length === 0 ? before : await expectEdited(written, before);
        await expectFinishes(written, after);
      }),
      rounds(12),
    );
  });

  it('without a readable first line is set aside by a listing that names it, and by nothing else', async () => {
    const root = temporaryFolder();
    await fc.assert(
      fc.asyncProperty(steps({ most: 3 }), fc.nat(1000), async (toDo, cut) => {
        const written = await write(toDo, root);
        const other = (await startedRun(written.store, 1)).run;
        const header = written.bytes.indexOf(10);
        writeFileSync(written.log, written.bytes.subarray(0, cut % header));
        rmSync(join(written.folder, 'run.json'));
        const store = await openStore(root);
        expect((await store.listRuns()).map((run) => run.run_id)).to.deep.equal([other.runId]);
        expect(store.warnings).to.have.lengthOf(1);
        expect(store.warnings[0]).to.include(`${written.folder}.broken`);
        expect(readdirSync(`${written.folder}.broken`)).to.include('results.jsonl');
        await other.close();
      }),
      rounds(5),
    );
  });
});

describe('run.json, whatever is in it', function () {
  this.timeout(patience);

  it('changes nothing of a listing, and is set aside by name when it is none', async () => {
    const root = temporaryFolder();
    await fc.assert(
      fc.asyncProperty(steps({ most: 6 }), damage(), async (toDo, harm) => {
        const { folder, log, bytes } = await write(toDo, root);
        const path = join(folder, 'run.json');
        writeFileSync(path, damaged(readFileSync(path), harm));
        const isNone = !isJson(readFileSync(path, 'utf8'));
        const store = await openStore(root);
        const { head } = bookOf(log, bytes);
        const [listed] = await store.listRuns();
        const { run_name, state, total_evaluations, total_passed } = head;
        expect(listed).to.include({ run_name, state, total_evaluations, total_passed });
        expect(store.warnings.join().includes(`${path}.broken`), store.warnings.join()).to.equal(
          isNone,
        );
        expect(readdirSync(folder).includes('run.json.broken')).to.equal(isNone);
      }),
      rounds(6),
    );
  });
});

/** What can happen to bytes on a disk: cut off, or garbage with or without line ends, in place of some or in between. */
interface Damage {
  /** Where it begins, as a share of all. */
  readonly at: number;
  /** How many bytes are lost. */
  readonly lost: number;
  readonly garbage: Uint8Array;
}

function damage(): fc.Arbitrary<Damage> {
  const zero = Uint8Array.of(0);
  return fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    lost: fc.oneof(fc.constantFrom(0, Number.MAX_SAFE_INTEGER), fc.nat(400)),
    garbage: fc.oneof(
      fc.nat(5000).map((size) => new Uint8Array(size)),
      // Begins and ends with what no JSON holds, so that nothing it is put into can be another whole line.
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.concat([zero, bytes, zero])),
    ),
  });
}

function damaged(bytes: Uint8Array, { at, lost, garbage }: Damage): Buffer {
  const from = Math.floor(at * bytes.length);
  // Bytes that are lost from between others without a trace are nothing that happens.
  const rest = garbage.length === 0 ? new Uint8Array() : bytes.subarray(from + lost);
  return Buffer.concat([bytes.subarray(0, from), garbage, rest]);
}

async function expectTakenOver(written: Written, harmed: Buffer, before: Picture): Promise<void> {
  const owner = await written.store.ownRun(written.runId);
  const end = harmed.lastIndexOf(10) + 1;
  const tail = harmed.subarray(end);
  const isTorn = tail.length > 0 && intactLines(tail, written.bytes).length === 0;
  const aside = readdirSync(written.folder).filter((name) => name.includes('broken'));
  expect(aside).to.deep.equal(isTorn ? ['results.jsonl.broken-1'] : []);
  if (isTorn) {
    expect(readFileSync(join(written.folder, 'results.jsonl.broken-1'))).to.deep.equal(tail);
    expect(owner.run.problems.join()).to.include('results.jsonl.broken-1');
  }
  expect(await pictureOf(owner.run)).to.deep.equal(before);
  await owner.release();
  await owner.run.close();
}

async function expectEdited(written: Written, before: Picture): Promise<Picture> {
  const run = await written.store.openRun(written.runId);
  const index = before.results.length - 1;
  await run.edit(index, { annotation: 'said after the damage' });
  const after = await pictureOf(run);
  await run.close();
  expect(await readAfresh(written)).to.deep.equal(after);
  const { result } = after.results[index] as { result: { annotation: string } };
  expect(result.annotation).to.equal('said after the damage');
  expect(after.results.slice(0, index)).to.deep.equal(before.results.slice(0, index));
  return after;
}

async function expectFinishes(written: Written, before: Picture): Promise<void> {
  const owner = await written.store.ownRun(written.runId);
  const index = before.results.length;
  owner.plan([plan(index)]);
  owner.schedule({ kind: 'rerun', rows: [index] });
  owner.finish([finished(index)]);
  await owner.close('finished');
  await owner.run.close();
  const after = await readAfresh(written);
  expect(after.results.slice(0, index)).to.deep.equal(before.results);
  expect(after.results[index]).to.deep.include({ id: plan(index).id, regradable: true });
}

/** What the book says of a log now; `written` says which of its lines are intact. Default: all. */
function bookOf(path: string, written: Buffer = readFileSync(path)): Picture {
  const picture = readByTheBook(intactLines(readFileSync(path), written));
  if (picture === undefined) throw new Error(`${path} has no first line`);
  return picture;
}

/** Of a run that is held, `state` and `running` rows are known in memory only. */
function expectSame(picture: Picture, path: string): void {
  const book = bookOf(path);
  const { state: _, ...head } = picture.head;
  const { state: __, ...bookHead } = book.head;
  expect(head).to.deep.equal(bookHead);
  expect(picture.attempts).to.deep.equal(book.attempts);
  expect(picture.selectedTotal).to.equal(book.selectedTotal);
  expect(picture.results.map(asLogged)).to.deep.equal(book.results.map(asLogged));
}

function asLogged(entry: Picture['results'][number]): unknown {
  const result = entry.result as { readonly status: string };
  return { ...entry, result: { ...result, status: result.status.replace(/running/, 'pending') } };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
