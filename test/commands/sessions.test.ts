import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openStore, type Store } from '../../src/store/store.js';
import { finished, finishedRun, readAll, startedRun, temporaryFolder } from '../store/builders.js';
import { type CommandResult, runCommands } from './run-commands.js';

const minute = 60_000;

function storeOf(cwd: string): Promise<Store> {
  return openStore(join(cwd, '.assay', 'sessions'));
}

async function savedRun(store: Store, name: string, change = {}): Promise<string> {
  return finishedRun(store, 4, { run_name: name, ...change });
}

async function sessions(cwd: string, ...argv: readonly string[]): Promise<CommandResult> {
  const [name = 'index', ...rest] = argv;
  const [result] = await runCommands(cwd, [['sessions', name, ...rest]]);
  if (result === undefined) throw new Error('the command gave no result');
  return result;
}

describe('assay sessions', () => {
  it('lists sessions, the one with the newest run first', async () => {
    const cwd = temporaryFolder();
    const store = await storeOf(cwd);
    const now = Date.now();
    await savedRun(store, 'old', { created_at_ms: now - 50 * minute });
    const owner = await startedRun(store, 4, {
      run_name: 'half',
      created_at_ms: now - 40 * minute - 1000,
    });
    const failed = { scores: [{ key: 'exact', passed: false }] };
    owner.finish([finished(0), finished(1), finished(2, failed), finished(3, failed)]);
    await owner.close('finished');
    const nightly = { session_name: 'nightly', created_at_ms: now - 4 * minute - 1000 };
    const newest = await savedRun(store, 'calm-heron', nightly);
    const [text, json] = await runCommands(cwd, [['sessions'], ['sessions', '--json']]);
    expect(text).to.deep.equal({
      code: 0,
      stderr: '',
      stdout: [
        '  session   runs   last run     started          pass rate    95 %',
        '  nightly      1   calm-heron   4 minutes ago    100.0 % ▇    51.0–100.0',
        '  default      2   half         40 minutes ago    50.0 % ▇▄   15.0–85.0',
        '',
      ].join('\n'),
    });
    const [first, second] = JSON.parse(json?.stdout ?? '').sessions;
    expect(first).to.include({ session_name: 'nightly', runs: 1 });
    expect(first.last_run).to.include({ run_id: newest, total_passed: 4, state: 'finished' });
    expect(first.last_run).to.not.have.any.keys('folder', 'created_at_ms');
    expect(second.pass_rates.map((rate: { estimate: number }) => rate.estimate)).to.deep.equal([
      1, 0.5,
    ]);
  });

  it('says of a gate on latest that it judges the first run of a group alone', async () => {
    const cwd = temporaryFolder();
    const store = await storeOf(cwd);
    const head = { group: 'sunny otter', group_runs: ['aaaaaaaaaaa0', 'aaaaaaaaaaa1'] };
    const created_at_ms = 1_763_648_400_000;
    for (const [at, run_id] of head.group_runs.entries()) {
      await savedRun(store, `v${at}`, { ...head, run_id, created_at_ms });
    }
    const gate = ['--fail-under', '0.9'];
    const [latest, named, all] = await runCommands(
      cwd,
      ['latest', 'v0', 'sunny otter'].map((run) => ['sessions', 'gate', run, ...gate]),
    );
    const note =
      '! Only v0 of the group sunny otter is judged. All of it: assay sessions gate "sunny otter" …';
    expect(latest?.stderr.split('\n')[0]).to.equal(note);
    expect(named?.stderr.split('\n')[0]).to.equal('v0 · 4 results · 4 passed · 0 errors');
    expect(all?.stderr.match(/^v\d .*$/gm)).to.have.length(2);
    expect(all?.code).to.equal(0);
  });

  it('does not pass a group of which runs are missing', async () => {
    const cwd = temporaryFolder();
    const store = await storeOf(cwd);
    const group_runs = ['aaaaaaaaaaa0', 'aaaaaaaaaaa1', 'aaaaaaaaaaa2'];
    for (const [at, run_id] of group_runs.slice(1).entries()) {
      await savedRun(store, `v${at + 1}`, { group: 'otter', group_runs, run_id });
    }
    const lack = '1 of 3 runs of the group otter is deleted or cannot be read, among them the base';
    const gate = ['sessions', 'gate', 'otter', '--fail-under', '0.9'];
    const [judged, json, ...others] = await runCommands(cwd, [
      gate,
      [...gate, '--json'],
      ['show', 'otter'],
      ['sessions', 'compare', 'otter'],
      ['export', 'otter', '-o', 'out.json'],
    ]);
    expect(judged?.code).to.equal(2);
    expect(judged?.stderr).to.include(`? ${lack} (exit code 2)`);
    expect(JSON.parse(json?.stdout ?? '').verdicts).to.deep.equal([
      { verdict: 'cannot-tell', text: lack },
    ]);
    for (const { stderr } of others) expect(stderr).to.include(`! ${lack}\n`);
  });

  it('says that there is nothing yet', async () => {
    const [text, json] = await runCommands(temporaryFolder(), [
      ['sessions'],
      ['sessions', '--json'],
    ]);
    expect(text).to.include({ code: 0, stdout: '' });
    expect(text?.stderr).to.match(/^No saved runs in .* yet\. Make one: assay run PATH\n$/);
    expect(JSON.parse(json?.stdout ?? '')).to.deep.equal({ sessions: [] });
  });

  it('reads the results directory of the flag, else that of the settings', async () => {
    const cwd = temporaryFolder();
    await savedRun(await openStore(join(cwd, 'elsewhere')), 'a', { session_name: 'by-flag' });
    await savedRun(await openStore(join(cwd, 'kept')), 'a', { session_name: 'by-settings' });
    writeFileSync(join(cwd, 'other.yaml'), 'results_dir: kept\n');
    writeFileSync(join(cwd, 'file'), '');
    const [byFlag, bySettings, file] = await runCommands(cwd, [
      ['sessions', '--results-dir', 'elsewhere', '--settings', 'other.yaml'],
      ['sessions', '--settings', 'other.yaml'],
      ['sessions', '--results-dir', 'file'],
    ]);
    expect(byFlag?.stdout).to.include('by-flag').and.not.include('by-settings');
    expect(bySettings?.stdout).to.include('by-settings').and.not.include('by-flag');
    expect(file).to.include({ code: 2, stdout: '' });
    expect(file?.stderr).to.match(/^✗ The results directory .*\/file is not a folder\.\n$/);
  });

  it('names what cannot be read and lists the others', async () => {
    const cwd = temporaryFolder();
    const store = await storeOf(cwd);
    const broken = await savedRun(store, 'broken');
    await savedRun(store, 'whole');
    const folder = join(store.root, 'default', broken);
    writeFileSync(join(folder, 'results.jsonl'), 'nothing\n');
    writeFileSync(join(folder, 'run.json'), 'nothing');
    const { code, stdout, stderr } = await sessions(cwd, 'show', 'default');
    expect(code).to.equal(0);
    expect(stdout).to.include('whole').and.include('1 run\n');
    expect(stderr).to.match(new RegExp(`^! .*${broken}`));
  });
});

describe('assay sessions show', () => {
  it('lists the runs of a session, newest first', async () => {
    const cwd = temporaryFolder();
    const store = await storeOf(cwd);
    const hour = 60 * minute;
    const now = Date.now();
    await savedRun(store, 'first', { run_id: 'aaaaaaaaaaaa', created_at_ms: now - 2.5 * hour });
    await savedRun(store, 'second', {
      run_id: 'bbbbbbbbbbbb',
      created_at_ms: now - 1.5 * hour,
      config_name: 'vader',
    });
    await savedRun(store, 'other', { session_name: 'nightly' });
    const [text, json, narrow] = [
      ...(await runCommands(cwd, [
        ['sessions', 'show', 'default'],
        ['sessions', 'show', 'default', '--json'],
      ])),
      ...(await runCommands(cwd, [['sessions', 'show', 'default']], { COLUMNS: '60' })),
    ];
    expect(text?.stdout).to.equal(
      [
        'session default · 2 runs',
        '',
        '  run      id             started       results   passed   errors   pass rate   95 %         state      config',
        '  second   bbbbbbbbbbbb   1 hour ago          4   4 of 4        0     100.0 %   51.0–100.0   finished   vader',
        '  first    aaaaaaaaaaaa   2 hours ago         4   4 of 4        0     100.0 %   51.0–100.0   finished   default',
        '',
      ].join('\n'),
    );
    expect(narrow?.stdout.split('\n')[3]).to.equal(
      '  second   bbbbbbbbbbbb   1 hour ago    4 of 4     100.0 %',
    );
    const shown = JSON.parse(json?.stdout ?? '');
    expect(shown.session_name).to.equal('default');
    expect(shown.runs.map((run: { run_id: string }) => run.run_id)).to.deep.equal([
      'bbbbbbbbbbbb',
      'aaaaaaaaaaaa',
    ]);
    expect(shown.runs[0]).to.include({ config_name: 'vader', total_evaluations: 4 });
    expect(shown.runs[0].pass_rate.estimate).to.equal(1);
  });

  it('shows the trend of the runs of one config, and what is beyond chance', async () => {
    const cwd = temporaryFolder();
    const store = await storeOf(cwd);
    const failed = { scores: [{ key: 'exact', passed: false }] };
    const start = Date.now() - 10 * minute;
    for (const [at, failing] of [3, 4, 3, 4, 3, 4, 18].entries()) {
      const change = { run_name: `run-${at}`, created_at_ms: start + at * minute };
      const owner = await startedRun(store, 20, change);
      owner.finish(
        Array.from({ length: 20 }, (_, n) => (n < failing ? finished(n, failed) : finished(n))),
      );
      await owner.close('finished');
    }
    await savedRun(store, 'apart', { config_name: 'nano', created_at_ms: start - minute });
    const [text, json, other] = await runCommands(cwd, [
      ['sessions', 'show', 'default', '--trend'],
      ['sessions', 'show', 'default', '--trend', '--json'],
      ['sessions', 'show', 'default', '--trend', '--config', 'nan'],
    ]);
    expect(other?.code).to.equal(2);
    expect(other?.stderr).to.match(
      /No run of session default has the config nan[\s\S]*Did you mean nano/,
    );
    expect(text).to.include({ code: 0, stderr: '' });
    const lines = text?.stdout.split('\n') ?? [];
    expect(lines[0]).to.equal('session default · 8 runs · the line joins 7 of config default');
    expect(lines[3]).to.match(/^ {2}pass rate +10\.0 % +2\.8–30\.1 +▼ −70\.0 +\S+ +▇▇▇▇▇▇▁$/);
    expect(text?.stdout).to.match(
      / {2}run-6 {2}pass rate 10\.0 % {2}▼ −70\.0 since run-5, beyond chance · below its limits \S+\n/,
    );
    expect(text?.stdout).to.include('1 not on the line: other config, params or cases');
    const trend = JSON.parse(json?.stdout ?? '');
    expect(trend.runs.map((run: { on_line: boolean }) => run.on_line)).to.deep.equal([
      false,
      ...Array.from({ length: 7 }, () => true),
    ]);
    expect(trend.runs.at(-1).figures[0]).to.include({ passed: 2, of: 20, outside: 'below' });
  });

  it('suggests a session that is named nearly so', async () => {
    const cwd = temporaryFolder();
    await savedRun(await storeOf(cwd), 'a', { session_name: 'feature/refunds' });
    expect(await sessions(cwd, 'show', 'feature/refnds')).to.deep.equal({
      code: 2,
      stdout: '',
      stderr: '✗ There is no session "feature/refnds".\n  Did you mean feature/refunds?\n',
    });
  });

  it('shows what would steer the terminal escaped', async () => {
    const cwd = temporaryFolder();
    const store = await storeOf(cwd);
    const name = 'ab 日本 🦦';
    const config_name = '\u001b[31mred\u0007 a\u202eb';
    await savedRun(store, name, { session_name: name, config_name });
    const { stdout } = await sessions(cwd, 'show', name);
    expect(stdout).to.match(/^session ab 日本 🦦 · 1 run\n/);
    expect(stdout).to.include('\\u{1b}[31mred\\u{7} a\\u{202e}b');
    expect((await sessions(cwd)).stdout).to.not.include('\u202e');
  });
});

describe('assay sessions rename-run', () => {
  it('gives a run another name', async () => {
    const cwd = temporaryFolder();
    const store = await storeOf(cwd);
    const run_id = await savedRun(store, 'before');
    const [text, json] = await runCommands(cwd, [
      ['sessions', 'rename-run', 'before', ' between '],
      ['sessions', 'rename-run', 'latest', 'a/b', '--json'],
    ]);
    expect(text?.stdout).to.equal(`${run_id} is now named between\n`);
    expect(JSON.parse(json?.stdout ?? '')).to.deep.equal({
      ok: true,
      run: { run_id, run_name: 'a/b' },
    });
    expect((await store.listRuns()).map((run) => run.run_name)).to.deep.equal(['a/b']);
  });

  it('refuses blank names and runs that are not saved here', async () => {
    const cwd = temporaryFolder();
    await savedRun(await storeOf(cwd), 'before');
    const elsewhere = await openStore(join(cwd, 'elsewhere'));
    const moved = join(elsewhere.root, 'default', await savedRun(elsewhere, 'moved'));
    const [blank, , file, folder] = await runCommands(cwd, [
      ['sessions', 'rename-run', 'before', '  '],
      ['export', 'before', '-o', 'out.json'],
      ['sessions', 'rename-run', 'out.json', 'after'],
      ['sessions', 'rename-run', moved, 'after'],
    ]);
    expect([blank?.code, file?.code, folder?.code]).to.deep.equal([2, 2, 2]);
    expect(blank?.stderr).to.equal('✗ A run name must not be blank.\n');
    expect(file?.stderr).to.match(/^✗ out\.json is an exported run, not a saved one\./);
    expect(folder?.stderr).to.include('is not in the results directory.');
  });
});

describe('assay sessions delete-run', () => {
  it('deletes a run and says which', async () => {
    const cwd = temporaryFolder();
    const store = await storeOf(cwd);
    const gone = await savedRun(store, 'gone', { created_at_ms: 2000 });
    const stays = await savedRun(store, 'stays', { created_at_ms: 1000 });
    const { code, stdout } = await sessions(cwd, 'delete-run', 'latest', '--yes');
    expect(code).to.equal(0);
    expect(stdout).to.equal(`run ${gone}, gone (session default, 4 results) was deleted\n`);
    expect((await store.listRuns()).map((run) => run.run_id)).to.deep.equal([stays]);
  });

  it('deletes nothing unasked without a terminal', async () => {
    const cwd = temporaryFolder();
    const store = await storeOf(cwd);
    await savedRun(store, 'stays');
    const { code, stderr } = await sessions(cwd, 'delete-run', 'latest');
    expect(code).to.equal(2);
    expect(stderr).to.include('Pass --yes');
    expect(await store.listRuns()).to.have.length(1);
  });

  it('refuses a run that another process executes', async () => {
    const cwd = temporaryFolder();
    const store = await storeOf(cwd);
    const owner = await startedRun(store, 1);
    const { code, stderr } = await sessions(cwd, 'delete-run', owner.run.runId, '--yes');
    expect(code).to.equal(2);
    expect(stderr).to.include(`is in use by process ${process.pid}.`);
    expect(await store.listRuns()).to.have.length(1);
    await owner.close('stopped');
  });
});

describe('assay sessions delete', () => {
  it('refuses without --yes when there is no terminal to ask on', async () => {
    const cwd = temporaryFolder();
    const store = await storeOf(cwd);
    await savedRun(store, 'a');
    const { code, stdout, stderr } = await sessions(cwd, 'delete', 'default');
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
    expect(stderr).to.include('Pass --yes to delete without confirmation.');
    expect(await store.listRuns()).to.have.length(1);
  });

  it('deletes a session with all its runs, and no other', async () => {
    const cwd = temporaryFolder();
    const store = await storeOf(cwd);
    await savedRun(store, 'a', { session_name: 'base' });
    await savedRun(store, 'b', { session_name: 'base' });
    await savedRun(store, 'c', { session_name: 'base_v2' });
    const [json, again] = await runCommands(cwd, [
      ['sessions', 'delete', 'base', '--yes', '--json'],
      ['sessions', 'delete', 'base', '-y'],
    ]);
    expect(JSON.parse(json?.stdout ?? '')).to.deep.equal({
      ok: true,
      session_name: 'base',
      deleted_runs: 2,
    });
    expect(again?.code).to.equal(2);
    expect((await store.listRuns()).map((run) => run.run_name)).to.deep.equal(['c']);
  });
});

describe('assay sessions import', () => {
  it('saves an exported run with its results, with a fresh id when its own is taken', async () => {
    const cwd = temporaryFolder();
    const store = await storeOf(cwd);
    const id = await savedRun(store, 'brisk-otter');
    const before = await readAll(store, id);
    const [, copied, , kept] = await runCommands(cwd, [
      ['export', id, '-o', 'out.json'],
      ['sessions', 'import', 'out.json', '--session', 'copies', '--json'],
      ['sessions', 'delete-run', id, '--yes'],
      ['sessions', 'import', 'out.json'],
    ]);
    const copy = JSON.parse(copied?.stdout ?? '');
    expect(copy).to.include({ run_name: 'brisk-otter', session_name: 'copies' });
    expect(copy.total_evaluations).to.equal(4);
    expect(copy.run_id)
      .to.match(/^[0-9a-f]{12}$/)
      .and.not.equal(id);
    expect(await readAll(store, copy.run_id)).to.deep.equal(before);
    expect(kept?.stdout).to.equal(`brisk-otter (4 results) saved as ${id} in session default\n`);
  });

  it('saves no run of another tool a second time, and what a killed import has left out', async () => {
    const cwd = temporaryFolder();
    const store = await storeOf(cwd);
    const file = new URL('../fixtures/imports/promptfoo.json', import.meta.url).pathname;
    const [first, again] = await runCommands(cwd, [
      ['sessions', 'import', file, '--json'],
      ['sessions', 'import', file, '--session', 'other'],
    ]);
    const ids: string[] = JSON.parse(first?.stdout ?? '').runs.map(
      ({ run_id }: { run_id: string }) => run_id,
    );
    expect(again?.stdout).to.match(/^nothing new in 16 results of promptfoo/);
    expect(again?.stdout).to.match(
      /gpt-4\.1 \(8 results\) is there already: [0-9a-f]{12} in session default\n/,
    );
    await store.deleteRun(ids[1] ?? '');
    const [rest] = await runCommands(cwd, [['sessions', 'import', file, '--json']]);
    const runs = JSON.parse(rest?.stdout ?? '').runs;
    expect(
      runs.map(({ run_id, was_saved }: Record<string, unknown>) => [run_id, was_saved]),
    ).to.deep.equal([
      [ids[0], true],
      [ids[1], undefined],
    ]);
    expect((await store.listRuns()).map(({ run_id }) => run_id)).to.have.members(ids);
  });
});
