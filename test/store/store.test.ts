import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryPath } from '../../src/files/temporary-files.js';
import { wilsonInterval } from '../../src/statistics/wilson-interval.js';
import { ownIdentity } from '../../src/store/lock/lock.js';
import { ownOpenRun } from '../../src/store/open-run.js';
import { openStore, type Store } from '../../src/store/store.js';
import { deadPid, deadTemporary } from '../files/dead-process.js';
import {
  finished,
  finishedRun,
  newRun,
  refusal,
  startedRun,
  temporaryFolder,
  temporaryStore,
} from './builders.js';

function runFolder(store: Store, runId: string, session = 'default'): string {
  return join(store.root, session, runId);
}

describe('a results directory', () => {
  it('is made with the first run, private and out of git', async () => {
    const base = temporaryFolder();
    const store = await openStore(join(base, '.assay', 'sessions'));
    expect(await store.listSessions()).to.deep.equal([]);
    expect(readdirSync(base)).to.deep.equal([]);
    await finishedRun(store, 1);
    expect(statSync(join(base, '.assay')).mode & 0o777).to.equal(0o700);
    expect(readFileSync(join(base, '.assay', '.gitignore'), 'utf8')).to.equal('*\n');
  });

  it('that is there keeps its mode, and what is made in it is private; `.assay` becomes so', async () => {
    const base = temporaryFolder();
    const modeOf = (...path: string[]) => statSync(join(base, ...path)).mode & 0o777;
    for (const name of ['mine', '.assay']) {
      mkdirSync(join(base, name));
      chmodSync(join(base, name), 0o755);
      await finishedRun(await openStore(join(base, name, 'sessions')), 1);
      expect(modeOf(name, 'sessions')).to.equal(0o700);
    }
    expect([modeOf('mine'), modeOf('.assay')]).to.deep.equal([0o755, 0o700]);
  });

  it('keeps a .gitignore that is there', async () => {
    const base = temporaryFolder();
    mkdirSync(join(base, '.assay'));
    writeFileSync(join(base, '.assay', '.gitignore'), 'mine\n');
    await finishedRun(await openStore(join(base, '.assay', 'sessions')), 1);
    expect(readFileSync(join(base, '.assay', '.gitignore'), 'utf8')).to.equal('mine\n');
  });

  it('that cannot be made is an error that names it', async () => {
    const base = temporaryFolder();
    writeFileSync(join(base, 'file'), '');
    for (const root of [join(base, 'file', 'sessions'), '/proc/self/x/y']) {
      const store = await openStore(root);
      expect(await store.listRuns()).to.deep.equal([]);
      const error = await refusal(() => store.createRun(newRun()));
      expect(error.code).to.equal('storage-unusable');
      expect(error.message).to.contain(root);
    }
  });
});

describe('making a run', () => {
  it('shows it at once, with an id of 12 hexadecimal characters and a lock', async () => {
    const store = await temporaryStore();
    const owner = await store.createRun(newRun());
    expect(owner.run.runId).to.match(/^[0-9a-f]{12}$/);
    expect(readdirSync(owner.run.folder).sort()).to.deep.equal([
      'lock',
      'results.jsonl',
      'run.json',
    ]);
    expect(await store.listRuns()).to.have.lengthOf(1);
    expect(owner.run.head()).to.deep.include({ state: 'not_started', total_evaluations: 0 });
    expect(owner.run.header.selection).to.deep.equal({ limit: 3 });
    await owner.close('finished');
    expect(readdirSync(owner.run.folder).sort()).to.deep.equal(['results.jsonl', 'run.json']);
    await owner.run.close();
  });

  it('takes the id it is given, once', async () => {
    const store = await temporaryStore();
    const id = await finishedRun(store, 1, { run_id: '0123456789ab' });
    expect(id).to.equal('0123456789ab');
    for (const run_id of [id, '../../etc/abc', 'latest', '0123456789AB']) {
      const error = await refusal(() => store.createRun(newRun({ run_id, session_name: 'other' })));
      expect(error.code, run_id).to.equal('bad-request');
    }
    expect(readdirSync(store.root)).to.include('default');
  });

  it('refuses names that cannot be', async () => {
    const store = await temporaryStore();
    for (const change of [{ session_name: ' ' }, { run_name: 'a\u0000b' }]) {
      expect((await refusal(() => store.createRun(newRun(change)))).code).to.equal('bad-request');
    }
  });
});

describe('listing', () => {
  it('has runs newest first, by the millisecond, and sessions by their newest run', async () => {
    const store = await temporaryStore();
    const at = (created_at_ms: number, session_name = 'a') => ({ created_at_ms, session_name });
    const [old, middle] = [
      await finishedRun(store, 1, at(1_000_001)),
      await finishedRun(store, 1, at(1_000_003, 'b')),
    ];
    const newest = await finishedRun(store, 1, at(1_000_004));
    const between = await finishedRun(store, 1, at(1_000_002, 'b'));
    expect((await store.listRuns()).map((run) => run.run_id)).to.deep.equal([
      newest,
      middle,
      between,
      old,
    ]);
    expect((await store.listRuns('b')).map((run) => run.run_id)).to.deep.equal([middle, between]);
    expect(await store.listRuns('c')).to.deep.equal([]);
    const sessions = await store.listSessions();
    expect(
      sessions.map(({ session_name, runs, last }) => [session_name, runs, last.run_id]),
    ).to.deep.equal([
      ['a', 2, newest],
      ['b', 2, middle],
    ]);
  });

  it('keeps a run that is executed or edited again in its place', async () => {
    const store = await temporaryStore();
    const old = await finishedRun(store, 1, { created_at_ms: 1_000_001 });
    const newest = await finishedRun(store, 1, { created_at_ms: 2_000_002 });
    const before = await store.listRuns();
    expect(before[1]).to.include({ run_id: old, timestamp: 1000, started_at: 1000 });
    const owner = await store.ownRun(old);
    owner.schedule({ kind: 'rerun', rows: 'all', at: '2031-02-03T04:05:06.789Z' });
    owner.finish([finished(0, { at: '2031-02-03T04:05:08.999Z' })]);
    await owner.close('finished');
    const start = Date.UTC(2031, 1, 3, 4, 5, 6) / 1000;
    const times = { created_at: start, started_at: 1000, updated_at: start + 2 };
    expect(owner.run.head()).to.include(times);
    const again = await store.openRun(old);
    expect(again.head()).to.include(times);
    await Promise.all([owner.run.close(), again.close()]);
    const [first, second] = await store.listRuns();
    expect(first).to.equal(before[0]);
    expect(second).to.include({ run_id: old, timestamp: start, started_at: 1000 });
    expect(second?.updated_at).to.equal(start + 2);
    expect(await store.findRun('latest')).to.equal(newest);
    // Written by a version that did not know when the run began.
    const document = join(store.root, 'default', old, 'run.json');
    const { started_at_ms, updated_at_ms, pass_rate, ...older } = JSON.parse(
      readFileSync(document, 'utf8'),
    );
    expect(pass_rate).to.have.property('estimate', 1);
    expect({ started_at_ms, updated_at_ms }).to.deep.equal({
      started_at_ms: 1_000_001,
      updated_at_ms: Date.UTC(2031, 1, 3, 4, 5, 8, 999),
    });
    writeFileSync(document, JSON.stringify(older));
    const fresh = await openStore(store.root);
    expect((await fresh.listRuns())[1]).to.deep.equal(second);
    expect(fresh.warnings).to.deep.equal([]);
  });

  it('says of a run what its results say', async () => {
    const store = await temporaryStore();
    const runId = await finishedRun(store, 3);
    expect((await store.listRuns())[0]).to.deep.include({
      run_id: runId,
      run_name: 'brisk-otter',
      session_name: 'default',
      total_evaluations: 3,
      total_passed: 3,
      total_errors: 0,
      state: 'finished',
      config_name: 'default',
      score_chips: [{ key: 'exact', type: 'ratio', passed: 3, total: 3 }],
      pass_rate: { passed: 3, total: 3, ...wilsonInterval(3, 3) },
    });
  });

  it('counts an edit also when run.json was written before it', async () => {
    const store = await temporaryStore();
    const runId = await finishedRun(store, 1);
    const path = join(runFolder(store, runId), 'run.json');
    const stale = readFileSync(path);
    const run = await store.openRun(runId);
    await run.edit(0, { scores: [] });
    await run.close();
    writeFileSync(path, stale);
    expect((await store.listRuns())[0]?.total_passed).to.equal(0);
    expect(readFileSync(path, 'utf8')).to.contain('"total_passed": 0');
  });

  it('reads the log when run.json is missing, and sets a damaged one aside', async () => {
    const store = await temporaryStore();
    const runId = await finishedRun(store, 1);
    const path = join(runFolder(store, runId), 'run.json');
    const good = readFileSync(path, 'utf8');
    rmSync(path);
    expect(await store.listRuns()).to.have.lengthOf(1);
    expect(readFileSync(path, 'utf8')).to.equal(good);
    for (const [at, bad] of ['', '{"format":', '[]', good.slice(0, 90), '\0\0\0\0'].entries()) {
      writeFileSync(path, bad);
      expect(await store.listRuns()).to.have.lengthOf(1);
      expect(store.warnings.join(), bad).to.contain(path);
      expect(readFileSync(path, 'utf8')).to.equal(good);
      const aside = at === 0 ? `${path}.broken` : `${path}.broken-${at + 1}`;
      expect(readFileSync(aside, 'utf8')).to.equal(bad);
    }
    expect(await store.listRuns()).to.have.lengthOf(1);
    expect(store.warnings).to.deep.equal([]);
  });

  it('sets runs aside that cannot be read, and shows the others', async () => {
    const store = await temporaryStore();
    const good = await finishedRun(store, 1);
    const session = join(store.root, 'default');
    for (const [name, file, text] of [
      ['aaaaaaaaaaaa', 'results.jsonl', 'no log'],
      ['bbbbbbbbbbbb', 'results.jsonl', ''],
      ['cccccccccccc', 'run.json', '{}'],
    ] as const) {
      mkdirSync(join(session, name));
      writeFileSync(join(session, name, file), text);
    }
    mkdirSync(join(session, 'dddddddddddd'));
    expect((await store.listRuns()).map((run) => run.run_id)).to.deep.equal([good]);
    expect(store.warnings).to.have.lengthOf(3);
    for (const name of ['aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'cccccccccccc']) {
      expect(store.warnings.join()).to.contain(join(session, `${name}.broken`));
      expect(existsSync(join(session, `${name}.broken`))).to.equal(true);
    }
    await store.listRuns();
    expect(store.warnings).to.deep.equal([]);
  });

  it('passes over foreign files, links, pipes and devices', async () => {
    const store = await temporaryStore();
    const good = await finishedRun(store, 1);
    const session = join(store.root, 'default');
    const outside = temporaryFolder();
    cpSync(join(session, good), join(outside, 'eeeeeeeeeeee'), { recursive: true });
    symlinkSync(join(outside, 'eeeeeeeeeeee'), join(session, 'eeeeeeeeeeee'));
    symlinkSync(outside, join(store.root, 'linked'));
    writeFileSync(join(store.root, 'notes.txt'), 'mine');
    writeFileSync(join(session, 'ffffffffffff'), 'a file');
    mkdirSync(join(session, 'not-a-run'));
    for (const [id, name] of [
      ['111111111111', 'results.jsonl'],
      ['222222222222', 'run.json'],
      ['333333333333', 'lock'],
    ] as const) {
      cpSync(join(session, good), join(session, id), { recursive: true });
      rmSync(join(session, id, name), { force: true });
      execFileSync('mkfifo', [join(session, id, name)]);
    }
    symlinkSync('/dev/zero', join(session, good, 'lock'));
    const ids = (await store.listRuns()).map((run) => run.run_id).sort();
    expect(ids).to.deep.equal(['222222222222', '333333333333', good].sort());
    expect((await refusal(() => store.openRun('eeeeeeeeeeee'))).code).to.equal('no-such-run');
    expect(readFileSync(join(store.root, 'notes.txt'), 'utf8')).to.equal('mine');
    await store.deleteSession('default').catch(() => undefined);
    expect(existsSync(join(outside, 'eeeeeeeeeeee', 'results.jsonl'))).to.equal(true);
  });

  it('trusts the log for the session, and the folder for the id', async () => {
    const store = await temporaryStore();
    const runId = await finishedRun(store, 1, { session_name: 'truth' });
    mkdirSync(join(store.root, 'elsewhere'));
    renameSync(runFolder(store, runId, 'truth'), join(store.root, 'elsewhere', '00000000000a'));
    const [listed] = await store.listRuns();
    expect(listed).to.include({ session_name: 'truth', run_id: '00000000000a' });
    const run = await store.openRun('00000000000a');
    expect(run.head().run_id).to.equal('00000000000a');
    await run.close();
  });

  it('keeps sessions apart whose names look alike', async () => {
    const store = await temporaryStore();
    const names = ['a/b', 'ab', '日本', 'CON', '!!!', '*', 'base', 'base_v2', '__proto__'];
    for (const session_name of names) await finishedRun(store, 1, { session_name });
    const listed = (await store.listSessions()).map((one) => one.session_name);
    expect(listed.sort()).to.deep.equal([...names].sort());
    await store.deleteSession('base');
    await store.deleteSession('*');
    expect(await store.listSessions()).to.have.lengthOf(names.length - 2);
  });

  it('shows a run of a killed process as interrupted', async () => {
    const store = await temporaryStore();
    const owner = await startedRun(store, 2);
    await owner.save();
    expect((await store.listRuns())[0]?.state).to.equal('running');
    rmSync(join(owner.run.folder, 'lock'));
    expect((await store.listRuns())[0]?.state).to.equal('interrupted');
  });
});

describe('finding a run', () => {
  let store: Store;
  beforeEach(async () => {
    store = await temporaryStore();
    await finishedRun(store, 1, { run_id: 'abcd11111111', run_name: 'first', created_at_ms: 1 });
    await finishedRun(store, 1, { run_id: 'abcd22222222', run_name: 'same', created_at_ms: 2 });
    await finishedRun(store, 1, {
      run_id: 'ef0033333333',
      run_name: 'same',
      session_name: 'b',
      created_at_ms: 3,
    });
  });

  it('goes by latest, id, unique prefix and name, in this order', async () => {
    expect(await store.findRun('latest')).to.equal('ef0033333333');
    expect(await store.findRun('latest', { session: 'default' })).to.equal('abcd22222222');
    expect(await store.findRun('abcd11111111')).to.equal('abcd11111111');
    expect(await store.findRun('ef00')).to.equal('ef0033333333');
    expect(await store.findRun('abcd1')).to.equal('abcd11111111');
    expect(await store.findRun('same')).to.equal('ef0033333333');
    expect(await store.findRun('same', { session: 'default' })).to.equal('abcd22222222');
  });

  it('says which runs a short prefix could mean', async () => {
    const error = await refusal(() => store.findRun('abcd'));
    expect(error.code).to.equal('ambiguous-run');
    expect(error.hints.join()).to.contain('abcd11111111').and.contain('abcd22222222');
  });

  it('says what there is instead of an unknown run', async () => {
    expect((await refusal(() => store.findRun('frist'))).hints.join()).to.contain('first');
    expect((await refusal(() => store.findRun('first', { session: 'b' }))).hints.join()).to.contain(
      'default',
    );
    for (const wanted of ['abc', '', '../default', '*', 'latest2']) {
      expect((await refusal(() => store.findRun(wanted))).code).to.equal('no-such-run');
    }
    const empty = await temporaryStore();
    expect((await refusal(() => empty.findRun('latest'))).code).to.equal('no-such-run');
  });
});

describe('renaming and deleting', () => {
  it('renames in the log and in listings', async () => {
    const store = await temporaryStore();
    const runId = await finishedRun(store, 1);
    expect(await store.renameRun(runId, '  日本/2 ')).to.equal('日本/2');
    expect((await store.listRuns())[0]?.run_name).to.equal('日本/2');
    expect((await refusal(() => store.renameRun(runId, '  '))).code).to.equal('bad-request');
    expect((await refusal(() => store.renameRun('000000000000', 'x'))).code).to.equal(
      'no-such-run',
    );
  });

  it('deletes a run and, with its last one, the session', async () => {
    const store = await temporaryStore();
    const [a, b] = [await finishedRun(store, 1), await finishedRun(store, 1)];
    await store.deleteRun(a);
    expect((await store.listRuns()).map((run) => run.run_id)).to.deep.equal([b]);
    await store.deleteRun(b);
    expect(readdirSync(store.root)).to.deep.equal([]);
    expect((await refusal(() => store.deleteRun(b))).code).to.equal('no-such-run');
    expect((await refusal(() => store.deleteSession('default'))).code).to.equal('no-such-session');
  });

  it('is gone for whoever is about to execute it, and has it open', async () => {
    const store = await temporaryStore();
    const id = await finishedRun(store, 1);
    const open = await store.openRun(id);
    await store.deleteRun(id);
    expect((await refusal(() => ownOpenRun(open))).code).to.equal('no-such-run');
    expect((await refusal(() => store.ownRun(id))).code).to.equal('no-such-run');
    expect(existsSync(open.folder)).to.equal(false);
    await open.close();
  });

  it('removes links in a run folder and leaves what they point to', async () => {
    const store = await temporaryStore();
    const runId = await finishedRun(store, 1);
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'precious'), 'x');
    symlinkSync(outside, join(runFolder(store, runId), 'link'));
    symlinkSync(join(outside, 'precious'), join(runFolder(store, runId), 'file'));
    await store.deleteRun(runId);
    expect(readFileSync(join(outside, 'precious'), 'utf8')).to.equal('x');
    expect(existsSync(runFolder(store, runId))).to.equal(false);
  });

  it('sweeps what killed processes left half made or half deleted', async () => {
    const store = await temporaryStore();
    const owner = await startedRun(store, 1);
    const session = join(store.root, 'default');
    for (const name of ['.deleted-0123456789ab-01234567', '.new-0123456789ab-01234567']) {
      mkdirSync(join(session, name));
      writeFileSync(join(session, name, 'lock'), '{"pid":4194305}');
    }
    await owner.close('finished');
    await store.listRuns();
    expect(readdirSync(session)).to.deep.equal([owner.run.runId]);
    const { folder } = owner.run;
    const dead = deadTemporary(join(folder, 'run.json'));
    writeFileSync(dead, '{');
    await (await store.ownRun(owner.run.runId)).close('finished');
    expect(readdirSync(folder).sort()).to.deep.equal(['results.jsonl', 'run.json']);
    // Killed while it executed the run.
    writeFileSync(dead, '{');
    writeFileSync(temporaryPath(join(folder, 'run.json')), '{');
    writeFileSync(join(folder, 'lock'), JSON.stringify({ ...ownIdentity(), pid: deadPid }));
    await (await openStore(store.root)).listRuns();
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).to.have.lengthOf(1);
  });
});
