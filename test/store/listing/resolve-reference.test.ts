import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { AssayError } from '../../../src/errors.js';
import { jsonExporter } from '../../../src/exporters/json.js';
import { findStoredRun, openReference } from '../../../src/store/listing/resolve-reference.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { renderAll } from '../../exporters/sample-run.js';
import { finishedRun, temporaryFolder } from '../builders.js';

interface Project {
  readonly cwd: string;
  readonly store: Store;
}

async function project(): Promise<Project> {
  const cwd = temporaryFolder();
  return { cwd, store: await openStore(join(cwd, '.assay', 'sessions')) };
}

async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'none',
    (error: unknown) => (error instanceof AssayError ? error.code : error),
  );
}

describe('findStoredRun', () => {
  it('prefers a run folder to a name, and latest to a run of that name', async () => {
    const { cwd, store } = await project();
    const named = await finishedRun(store, 1, { run_name: 'latest', created_at_ms: 1000 });
    const newest = await finishedRun(store, 1, { run_name: 'base', created_at_ms: 2000 });
    const find = (reference: string) => findStoredRun(store, reference, { cwd });
    expect(await find('latest')).to.equal(newest);
    expect(await find(join('.assay', 'sessions', 'default', named))).to.equal(named);
    expect(await find(named.slice(0, 6))).to.equal(named);
    expect(await find('base')).to.equal(newest);
  });

  it('finds a name in the session asked for, else the newest of that name', async () => {
    const { cwd, store } = await project();
    const older = await finishedRun(store, 1, { session_name: 'a', created_at_ms: 1000 });
    const newer = await finishedRun(store, 1, { session_name: 'b', created_at_ms: 2000 });
    expect(await findStoredRun(store, 'brisk-otter', { cwd })).to.equal(newer);
    expect(await findStoredRun(store, 'brisk-otter', { cwd, session: 'a' })).to.equal(older);
    expect(await findStoredRun(store, 'latest', { cwd, session: 'a' })).to.equal(older);
  });

  it('refuses exported files and folders outside of the results directory', async () => {
    const { cwd, store } = await project();
    const id = await finishedRun(store, 1);
    const other = await openStore(join(cwd, 'other'));
    const moved = join(other.root, 'default', await finishedRun(other, 1));
    const { run, close } = await openReference(store, id, { cwd });
    writeFileSync(join(cwd, 'out.json'), await renderAll(jsonExporter, run));
    await close();
    expect(await codeOf(findStoredRun(store, 'out.json', { cwd }))).to.equal('view-only');
    expect(await codeOf(findStoredRun(store, moved, { cwd }))).to.equal('view-only');
    const opened = await openReference(store, moved, { cwd });
    expect(opened.run.head.total_evaluations).to.equal(1);
    await opened.close();
  });
});

describe('openReference', () => {
  it('reads an exported file as the run it was', async () => {
    const { cwd, store } = await project();
    const id = await finishedRun(store, 3);
    const saved = await store.openRun(id);
    await saved.edit(1, { annotation: 'odd', scores: [{ key: 'exact', passed: false }] });
    const document = await renderAll(jsonExporter, saved.snapshot());
    await saved.close();
    writeFileSync(join(cwd, 'out.json'), `\uFEFF${document}`);
    const { run } = await openReference(store, 'out.json', { cwd });
    expect(await renderAll(jsonExporter, run)).to.equal(document);
    expect(run.scoreChips).to.deep.equal([{ key: 'exact', type: 'ratio', passed: 2, total: 3 }]);
  });

  it('counts the results of an exported file itself', async () => {
    const { cwd, store } = await project();
    const id = await finishedRun(store, 2);
    const saved = await store.openRun(id);
    const document = JSON.parse(await renderAll(jsonExporter, saved.snapshot()));
    await saved.close();
    const changed = { ...document, total_passed: 7, total_functions: 9, state: 'odd' };
    writeFileSync(join(cwd, 'out.json'), JSON.stringify(changed));
    const { run } = await openReference(store, 'out.json', { cwd });
    expect(run.head).to.include({ total_passed: 2, total_functions: 2, state: 'finished' });
  });

  it('tells what is wrong with the files of a run', async () => {
    const { cwd, store } = await project();
    const id = await finishedRun(store, 1);
    writeFileSync(join(store.root, 'default', id, 'results.jsonl'), '{"type":"fin', { flag: 'a' });
    const { run, problems, close } = await openReference(store, id, { cwd });
    expect(run.head.total_evaluations).to.equal(1);
    expect(problems.join()).to.match(/last line of .* is incomplete/);
    await close();
  });

  it('says what a path is when nothing of that name is a run', async () => {
    const { cwd, store } = await project();
    mkdirSync(join(cwd, 'evals'));
    writeFileSync(join(cwd, 'list.json'), '[]');
    const open = (reference: string) => codeOf(openReference(store, reference, { cwd }));
    expect(await open('evals')).to.equal('no-such-run');
    expect(await open('/dev/null')).to.equal('no-such-run');
    expect(await open('list.json')).to.equal('bad-request');
    expect(await open('')).to.equal('usage');
    await finishedRun(store, 1, { run_name: 'list.json' });
    expect(await open('list.json')).to.equal('none');
  });
});

describe('the runs of a group', () => {
  it('count as one for latest, and are found by the name of the group', async () => {
    const { cwd, store } = await project();
    const ids = ['a', 'b', 'c'].map((one) => one.repeat(12));
    await finishedRun(store, 1, { run_name: 'before', created_at_ms: 1000 });
    for (const [at, run_id] of ids.entries()) {
      const of = { run_id, group: 'sunny-otter', group_runs: ids, created_at_ms: 2000 + at };
      await finishedRun(store, 1, { run_name: `variant ${at}`, ...of });
    }
    const find = (reference: string) => findStoredRun(store, reference, { cwd });
    expect(await find('latest')).to.equal(ids[0]);
    expect(await store.findGroup('sunny-otter')).to.deep.equal(ids);
    expect(await store.findGroup('variant 1')).to.equal(undefined);
    expect(await codeOf(find('sunny-otter'))).to.equal('ambiguous-run');
    await store.deleteRun(ids[0] ?? '');
    expect(await find('latest')).to.equal(ids[1]);
    expect(await store.findGroup('sunny-otter')).to.deep.equal(ids.slice(1));
    expect((await store.listRuns())[0]).to.include({ run_name: 'variant 2', group: 'sunny-otter' });
  });

  it('are those of the name where no newer run has it', async () => {
    const { cwd, store } = await project();
    const find = (reference: string) => findStoredRun(store, reference, { cwd });
    const ids = ['a', 'b'].map((one) => one.repeat(12));
    const of = { group: 'nightly', group_runs: ids };
    await finishedRun(store, 1, { run_name: 'nightly', created_at_ms: 1000 });
    for (const [at, run_id] of ids.entries()) {
      await finishedRun(store, 1, { run_name: `v${at}`, run_id, ...of, created_at_ms: 2000 });
    }
    expect(await store.findGroup('nightly')).to.deep.equal(ids);
    expect(await codeOf(find('nightly'))).to.equal('ambiguous-run');
    const newest = await finishedRun(store, 1, { run_name: 'nightly', created_at_ms: 3000 });
    expect(await store.findGroup('nightly')).to.equal(undefined);
    expect(await find('nightly')).to.equal(newest);
  });
});
