import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Usage } from '../../src/model/calls/usage.js';
import type { JsonObject } from '../../src/model/json.js';
import type { NewRun } from '../../src/store/create-run.js';
import { openStore, type Store } from '../../src/store/store.js';
import { finished, newRun, plan, temporaryFolder } from '../store/builders.js';
import { type CommandResult, runCommands } from './run-commands.js';

const outputs = [
  'Your order left the warehouse this morning.',
  'Your order left the warehouse yesterday.',
];

interface SavedFacts {
  readonly version?: number;
  readonly usageOf?: (index: number) => Usage | undefined;
  readonly params?: JsonObject;
  readonly head?: Partial<NewRun>;
}

/** A run in which the results pass (`+`), fail (`-`), or never finish (`?`). */
async function saved(
  store: Store,
  run_name: string,
  letters: string,
  { version = 0, usageOf, params, head }: SavedFacts = {},
): Promise<string> {
  const owner = await store.createRun(
    newRun({ run_name, created_at_ms: 1_763_648_400_000, ...head }),
  );
  const indices = [...letters].map((_, index) => index);
  owner.plan(indices.map((index) => plan(index)));
  owner.schedule({ kind: 'run', rows: 'all', ...(params && { paramsInEffect: params }) });
  owner.finish(
    indices
      .filter((index) => letters[index] !== '?')
      .map((index) => {
        const scores = [{ key: 'exact', passed: letters[index] === '+' }];
        const usage = usageOf?.(index);
        const facts = { scores, output: outputs[version] ?? '', latency: 1 + index / 10 };
        const end = letters[index] === 'e' ? ({ status: 'error', scores: [] } as const) : {};
        return finished(index, { ...facts, ...(usage && { usage }), ...end });
      }),
  );
  owner.cancel(indices.filter((index) => letters[index] === '?'));
  await owner.close('finished');
  await owner.run.close();
  return owner.run.runId;
}

interface Saved {
  readonly cwd: string;
  run(...commands: readonly (readonly string[])[]): Promise<CommandResult[]>;
}

async function project(runs: Readonly<Record<string, readonly [string, number]>>): Promise<Saved> {
  const cwd = temporaryFolder();
  const store = await openStore(join(cwd, '.assay', 'sessions'));
  for (const [name, [letters, version]] of Object.entries(runs)) {
    await saved(store, name, letters, { version });
  }
  return { cwd, run: (...commands) => runCommands(cwd, commands, { COLUMNS: '150' }) };
}

describe('assay sessions compare', () => {
  it('shows every measure with its interval, the difference, and what became of the evaluations', async () => {
    const { run } = await project({ before: ['++++++++--', 0], after: ['+-++++++-+', 1] });
    const [result] = await run(['sessions', 'compare', 'before', 'after', '--limit', '2']);
    expect(result?.code).to.equal(0);
    expect(result?.stderr).to.equal('');
    expect(result?.stdout).to.match(/pass rate +before +80\.0 % +49\.0–94\.3 +8 of 10/);
    expect(result?.stdout).to.match(
      /after +80\.0 % +49\.0–94\.3 +8 of 10 +80\.0 → 80\.0 \(10\) +0\.0 pts +−\S+ to \+\S+ +1 +too little data\n/,
    );
    expect(result?.stdout).to.include('1 regressed · 1 fixed · 8 changed · 0 same');
    expect(result?.stdout).to.include('✓ nothing is worse beyond chance than in the baseline');
    expect(result?.stdout).to.include('✗ refund[1]   regressed · exact ✓ → ✗');
    expect(result?.stdout).to.include('left the warehouse [-this morning-]{+yesterday+}.');
    expect(result?.stdout).to.include('… 8 more changed');
  });

  it('shows a difference beside the two values that it is of, over the evaluations of both runs', async () => {
    const { run } = await project({
      before: ['++++------++++++++++', 0],
      after: ['++++++----', 0],
    });
    const compare = ['sessions', 'compare', 'before', 'after'];
    const [report, markdown] = await run(compare, [...compare, '--format', 'md']);
    expect(report?.stdout).to.match(/pass rate +before +70\.0 %/);
    expect(report?.stdout).to.match(/after +60\.0 % .* 40\.0 → 60\.0 \(10\) +\+20\.0 pts/);
    expect(markdown?.stdout).to.match(/\| after \| 60\.0 % \|.*\| 40\.0 → 60\.0 \(10\) \|/);
  });

  it('shows cost, tokens and calls of runs that call models, and says which cases are left out', async () => {
    const { cwd, run } = await project({ none: ['+'.repeat(24), 0] });
    const store = await openStore(join(cwd, '.assay', 'sessions'));
    const used = (calls: number, each: number, unpriced: number) => (index: number) => ({
      calls,
      input: 900 * calls,
      output: 100 * calls,
      cost: calls * (each + (index % 5) * 0.0001),
      ...(index < unpriced && { unpriced: 1 }),
      by_role: {},
    });
    await saved(store, 'small', '+'.repeat(24), { usageOf: used(1, 0.0004, 0) });
    await saved(store, 'large', '+'.repeat(24), { usageOf: used(3, 0.002, 2) });
    const compare = ['sessions', 'compare'];
    const [text, markdown, json, one, neither] = await run(
      [...compare, 'small', 'large'],
      [...compare, 'small', 'large', '--format', 'md'],
      [...compare, 'small', 'large', '--json'],
      [...compare, 'none', 'large'],
      [...compare, 'none', 'none'],
    );
    const shown = text?.stdout ?? '';
    expect(shown).to.match(/cost +small +\$0\.0142 +in all/);
    expect(shown).to.match(
      /large +≥ \$0\.16 +in all +\$0\.00060 → \$0\.0066 \(22\) +\+\$0\.0060 +\+\$0\.0059 to \+\$0\.0061/,
    );
    expect(shown).to.match(
      /model tokens +small +24k +in all\n.* 72k +in all +1k → 3k \(24\) +\+2k +n too small/,
    );
    expect(shown).to.match(/calls +small +24 .*\n.* 72 .* 1 → 3 \(24\) +\+2 +n too small/);
    const sentences = [
      'latency, cost, model tokens and calls are not tested: the results of a run share its load and caches',
      'cost is compared without 2 cases with calls of unknown cost',
    ];
    for (const sentence of sentences) {
      expect(shown.replace(/\s+/g, ' ')).to.include(sentence);
      expect(markdown?.stdout).to.include(sentence);
    }
    expect(markdown?.stdout).to.match(
      /\| large \| ≥ \\?\$0\.16 \|.*→ \\?\$0\.0066 \\?\(22\\?\) \|/,
    );
    const { runs, comparisons } = JSON.parse(json?.stdout ?? '');
    expect(runs[1].usage).to.include({ calls: 72, unpriced: 2, input: 64_800 });
    expect(comparisons[0].usage.cost).to.include({ pairs: 22, unknown: 2, higher: 22 });
    expect(comparisons[0].usage.calls).to.include({ base: 1, other: 3, median: 2 });
    expect(one?.stdout).to.match(/cost +none *\n +large +≥ \$0\.16/);
    expect(one?.stdout).to.include('latency is not tested: the results of a run share its load');
    expect(neither?.stdout).not.to.match(/^ *(cost|tokens|calls) /m);
  });

  it('gives the same numbers as JSON, for up to four runs', async () => {
    const { run } = await project({
      a: ['++++++++++', 0],
      b: ['----------', 1],
      c: ['+++++++++', 0],
      d: ['++++++++++', 0],
    });
    const [result] = await run(['sessions', 'compare', 'a', 'b', 'c', 'd', '--json']);
    const { runs, comparisons } = JSON.parse(result?.stdout ?? '');
    expect(runs.map((one: { run_name: string }) => one.run_name)).to.deep.equal([
      'a',
      'b',
      'c',
      'd',
    ]);
    expect(runs[1]).to.include({ units: 10, finished: 10, session_name: 'default' });
    const [b, c, d] = comparisons;
    expect(b.changes).to.include({ regressed: 10, fixed: 0 });
    expect(b.pass_rate.difference.estimate).to.equal(-1);
    expect(b.pass_rate.p).to.be.closeTo(2 / 2 ** 10, 1e-12);
    expect(b.gates.regression.verdict).to.equal('no');
    expect(b.rows).to.have.lengthOf(10);
    expect(b.rows[0].output_diff.map(({ kind }: { kind: string }) => kind)).to.include('removed');
    expect(c.changes).to.include({ only_base: 1, same: 9 });
    expect(c.gates.missing.verdict).to.equal('no');
    expect(d.changes).to.include({ same: 10 });
    expect(d.rows).to.deep.equal([]);
  });

  it('shows only the kinds asked for', async () => {
    const { run } = await project({ before: ['++-+', 0], after: ['-++', 0] });
    const all = ['sessions', 'compare', 'before', 'after', '--only'];
    const results = await run([...all, 'fixed'], [...all, 'unpaired'], [...all, 'broken']);
    const rows = results.map(({ stdout }) => [...stdout.matchAll(/refund\[\d\]/g)].map(String));
    expect(rows).to.deep.equal([['refund[2]'], ['refund[3]'], []]);
    expect(results[2]?.code).to.equal(2);
  });

  it('writes Markdown in which nothing of an evaluation is markup', async () => {
    const cwd = temporaryFolder();
    const store = await openStore(join(cwd, '.assay', 'sessions'));
    const nasty = '<img src=x> | `a` **b** @team #1\n::error::x\n- [x](http://a.b)';
    for (const [run_name, passed] of [
      [nasty.slice(0, 12), true],
      ['after', false],
    ] as const) {
      const owner = await store.createRun(newRun({ run_name }));
      owner.plan([plan(0, { function: nasty.replaceAll('\n', ' ') })]);
      owner.schedule({ kind: 'run', rows: 'all' });
      const scores = [{ key: nasty.slice(0, 30).trim(), passed }];
      owner.finish([finished(0, { output: `${nasty} ${passed}`, scores })]);
      await owner.close('finished');
      await owner.run.close();
    }
    const names = ['<img src=x> ', 'after'].map((name) => name.trim());
    const [result] = await runCommands(cwd, [['sessions', 'compare', ...names, '--format', 'md']]);
    const text = result?.stdout ?? '';
    expect(result?.code).to.equal(0);
    expect(text).to.match(/^### after against &lt;img src=x&gt;\n/);
    expect(text.match(/<(?!\/?(del|ins|details|summary|br)>)/g)).to.equal(null);
    expect(text).to.not.match(/^\s*::|@team|[^\\]\]\(http|[^\\]`|[^\\*]\*\*b/m);
    expect(text).to.include('<del>true</del><ins>false</ins>');
  });

  it('shows three runs and more as variants first, and no cases of more than four unless they are asked for', async () => {
    const { run } = await project({
      main: ['++++++++--', 0],
      better: ['++++++++++', 1],
      worse: ['++++------', 1],
      more: ['++++++++--', 0],
      most: ['++++++++--', 0],
    });
    const three = ['sessions', 'compare', 'main', 'worse', 'better'];
    const [text, markdown, json, two, five, asked] = await run(
      three,
      [...three, '-f', 'md'],
      [...three, '--json'],
      ['sessions', 'compare', 'main', 'worse', '--json'],
      [...three, 'more', 'most'],
      [...three, 'more', 'most', '--only', 'regressed'],
    );
    const lines = text?.stdout.split('\n') ?? [];
    expect(lines[0]).to.match(/^ +variant +passed +95 % +against base +p +p50$/);
    expect(lines[1]).to.match(/^ +main +80\.0 % +49\.0–94\.3 +base +1\.45 s$/);
    expect(lines[2]).to.match(/^ +◆ +better +100\.0 % .* \+20\.0 \(.* too little data +1\.45 s$/);
    expect(lines[3]).to.match(/^ +worse +40\.0 % .* −40\.0 /);
    expect(text?.stdout).to.include('worse against main').and.to.include('✗ refund[4]   regressed');
    expect(markdown?.stdout).to.match(
      /^\| {2}\| variant \| passed .*\n\| --- .*\n\| {2}\| main \|/,
    );
    expect(markdown?.stdout).to.include('\n### worse, better against main\n');
    const { variants, comparisons } = JSON.parse(json?.stdout ?? '');
    const names = variants.runs.map(({ run_name }: { run_name: string }) => run_name);
    expect(names).to.deep.equal(['main', 'worse', 'better']);
    const { p, difference } = comparisons[0].pass_rate;
    expect(variants.runs[1].difference).to.deep.include({ p, difference });
    expect(JSON.parse(two?.stdout ?? '')).to.not.have.property('variants');
    expect(five?.stdout).to.include('… 4 more regressed').and.not.include('✗ refund');
    expect(asked?.stdout).to.include('✗ refund[4]   regressed');
  });

  it('says what its figures are of where cases are selected, or errors left out', async () => {
    const cwd = temporaryFolder();
    const store = await openStore(join(cwd, '.assay', 'sessions'));
    await saved(store, 'one', '++++');
    await saved(store, 'two', '++e-');
    const compare = ['sessions', 'compare', 'one', 'two'];
    const [whole, part, without, markdown] = await runCommands(cwd, [
      compare,
      [...compare, '--where', 'input~[01]'],
      [...compare, '--ignore-errors'],
      [...compare, '--where', 'input~[01]', '--format', 'md'],
    ]);
    expect(whole?.stdout).to.match(/measure +run +whole run /);
    expect(part?.stdout).to.match(/measure +run +these cases /);
    expect(part?.stdout).to.include('  one: 2 of 4 cases\n  two: 2 of 4 cases\n');
    expect(without?.stdout).to.match(/measure +run +without errors /);
    expect(without?.stdout).to.include('  two: 1 error left out\n');
    expect(markdown?.stdout).to.include('| measure | run | these cases |');
    const file = ['export', 'two', '-o', 'two.json'];
    const [, some, shown, blessed, , all] = await runCommands(cwd, [
      [...file, '--where', 'input~[01]'],
      ['sessions', 'compare', 'one', 'two.json'],
      ['show', 'two.json'],
      ['sessions', 'bless', 'two.json', 'base.json'],
      file,
      ['sessions', 'compare', 'one', 'two.json'],
    ]);
    expect(shown?.stdout.split('\n')[0]).to.match(/ · 2 of 4 results$/);
    expect(blessed?.stdout).to.equal(
      '2 cases of two, a part with 2 of 4 results, written to base.json\n',
    );
    expect(some?.stdout).to.match(/measure +run +these cases /);
    expect(some?.stdout).to.include('  two: 2 of 4 results\n');
    expect(all?.stdout).to.match(/measure +run +whole run /);
  });

  it('does not tell outputs apart that were left out of files', async () => {
    const cwd = temporaryFolder();
    const store = await openStore(join(cwd, '.assay', 'sessions'));
    await saved(store, 'one', '++', { version: 0 });
    await saved(store, 'two', '++', { version: 1 });
    const redacted = (run: string) => ['export', run, '--redact', 'output', '-o', `${run}.json`];
    const results = await runCommands(cwd, [
      redacted('one'),
      redacted('two'),
      ['sessions', 'compare', 'one.json', 'two'],
      ['sessions', 'compare', 'one', 'two'],
      ['sessions', 'bless', 'one.json', 'base.json'],
    ]);
    const [, , left, whole] = results;
    const note = '! Outputs of one are unknown: verdicts and scores alone decide what has changed.';
    expect(left?.stderr).to.equal(`${note.replace('of one', 'of one.json')}\n`);
    expect(left?.stdout).to.include('0 regressed · 0 fixed · 2 same');
    expect(whole?.stdout).to.include('0 regressed · 0 fixed · 2 changed');
    expect(readFileSync(join(cwd, 'base.json'), 'utf8')).to.not.include('"output"');
    const document = JSON.parse(readFileSync(join(cwd, 'one.json'), 'utf8'));
    const { run_id } = await store.importRun(document);
    const [imported] = await runCommands(cwd, [['sessions', 'compare', 'two', run_id]]);
    expect(imported?.stderr).to.equal(`${note}\n`);
  });

  it('says what each param does, of runs, of exported ones and of a group', async () => {
    const cwd = temporaryFolder();
    const store = await openStore(join(cwd, '.assay', 'sessions'));
    const given = Object.entries({
      'large v14': '++++++----',
      'large v15': '++++++++--',
      'swift v14': '++++------',
      'swift v15': '++++++----',
    });
    const ids = given.map((_, at) => `aaaaaaaaaaa${at}`);
    for (const [at, [name, letters]] of given.entries()) {
      const [model = '', prompt = ''] = name.split(' ');
      await saved(store, name, letters, {
        params: { model, prompt },
        head: { run_id: ids[at] ?? '', group: 'sunny-otter', group_runs: ids },
      });
    }
    const others = ['large v15', 'swift v14', 'swift v15'];
    const [stored] = await runCommands(cwd, [
      ['compare', 'large v14', ...others],
      ['export', 'large v14', '-o', 'base.json'],
    ]);
    const [exported, group, alone] = await runCommands(cwd, [
      ['compare', 'base.json', ...others],
      ['compare', 'sunny-otter'],
      ['compare', 'large v14'],
    ]);
    expect(alone?.stderr).to.include('2 to 12 runs can be compared, not 1.');
    for (const result of [stored, exported, group]) {
      expect(result?.stdout).to.match(/ prompt v14 → v15 {3}\+20\.0 \(/);
      expect(result?.stdout).to.match(/^ {2}model large → swift {3}−20\.0 \(/m);
    }
  });

  it('refuses one run, thirteen, an unknown one, and two formats at once', async () => {
    const { run } = await project({ a: ['+', 0] });
    const results = await run(
      ['sessions', 'compare', 'a'],
      ['sessions', 'compare', ...Array(13).fill('a')],
      ['sessions', 'compare', 'a', 'nobody'],
      ['sessions', 'compare', 'a', 'a', '--json', '-f', 'md'],
    );
    expect(results.map(({ code }) => code)).to.deep.equal([2, 2, 2, 2]);
    expect(results[0]?.stderr).to.include('2 to 12 runs can be compared, not 1.');
    expect(results[2]?.stderr).to.include('nobody');
  });

  it('compares an exported run and a baseline file as it does the run itself', async () => {
    const { cwd, run } = await project({ before: ['+++-', 0], after: ['+--+', 1] });
    const [exported, blessed, direct] = await run(
      ['export', 'before', '-o', 'before.json'],
      ['sessions', 'bless', 'before', 'baseline.json'],
      ['sessions', 'compare', 'before', 'after', '--json'],
    );
    expect([exported?.code, blessed?.code]).to.deep.equal([0, 0]);
    const [fromExport, fromBaseline] = await run(
      ['sessions', 'compare', 'before.json', 'after', '--json'],
      ['sessions', 'compare', 'baseline.json', 'after', '--json'],
    );
    const read = (result: CommandResult | undefined) => JSON.parse(result?.stdout ?? '');
    expect(read(fromExport)).to.deep.equal(read(direct));
    const { comparisons, runs } = read(fromBaseline);
    const { latency: _, rows, ...numbers } = comparisons[0];
    const { latency: __, rows: ___, ...expected } = read(direct).comparisons[0];
    expect(numbers).to.deep.equal(expected);
    expect(runs[0]).to.include({ run_name: 'before', session_name: null });
    expect(rows[0].output_diff).to.deep.equal([
      { kind: 'same', text: 'Your order left the warehouse yesterday.' },
    ]);
    expect(readFileSync(join(cwd, 'baseline.json'), 'utf8')).to.include('"assay_baseline": 2');
  });
});

describe('assay sessions bless', () => {
  it('writes a file that is the same for the same run, and says what it holds', async () => {
    const { cwd, run } = await project({ main: ['++-', 0] });
    const [text, json] = await run(
      ['sessions', 'bless', 'main', 'one.json'],
      ['sessions', 'bless', 'latest', 'two.json', '--json'],
    );
    expect(text).to.include({ code: 0, stdout: '3 cases of main written to one.json\n' });
    expect(JSON.parse(json?.stdout ?? '')).to.include({
      file: 'two.json',
      run_name: 'main',
      evaluations: 3,
    });
    const [one, two] = ['one', 'two'].map((name) =>
      readFileSync(join(cwd, `${name}.json`), 'utf8'),
    );
    expect(one).to.equal(two);
    expect(one?.split('\n').filter((line) => line.startsWith('    {'))).to.have.lengthOf(3);
  });

  it('refuses a run that has not finished unless it is forced, and leaves the file as it was', async () => {
    const { cwd, run } = await project({ half: ['+?-', 0], none: ['??', 0] });
    writeFileSync(join(cwd, 'b.json'), 'precious');
    const bless = ['sessions', 'bless', 'half', 'b.json'];
    const [refused] = await run(bless);
    expect(refused?.code).to.equal(2);
    expect(refused?.stderr).to.match(/half was not blessed: 1 result has not finished/);
    expect(readFileSync(join(cwd, 'b.json'), 'utf8')).to.equal('precious');
    const [forced, empty] = await run(
      [...bless, '--force'],
      ['sessions', 'bless', 'none', 'c.json', '--force'],
    );
    expect(forced?.code).to.equal(0);
    expect(JSON.parse(readFileSync(join(cwd, 'b.json'), 'utf8')).evaluations).to.have.lengthOf(2);
    expect([empty?.code, empty?.stderr]).to.deep.equal([
      2,
      '✗ none was not blessed: none of its cases has finished.\n',
    ]);
  });

  it('says what is wrong with a baseline file, and where it cannot be written', async () => {
    const { cwd, run } = await project({ a: ['+', 0] });
    writeFileSync(join(cwd, 'merge.json'), '{\n  "assay_baseline": 2,\n<<<<<<< HEAD\n');
    writeFileSync(join(cwd, 'odd.json'), '{"assay_baseline": 2, "evaluations": [{"id": 3}]}');
    const results = await run(
      ['sessions', 'compare', 'merge.json', 'a'],
      ['sessions', 'compare', 'odd.json', 'a'],
      ['sessions', 'bless', 'a', 'no/such/folder.json'],
    );
    expect(results.map(({ code }) => code)).to.deep.equal([2, 2, 2]);
    expect(results[0]?.stderr).to.match(
      /^✗ merge\.json:3:1: this is no baseline: it is not JSON: "<" instead of "key"\./,
    );
    expect(results[1]?.stderr).to.include('odd.json: evaluations[0].id must be text, not 3.');
    expect(results[2]?.stderr).to.include('no/such/folder.json');
    const old = { run_name: 'old', run_id: '3f9a0c12be77', date: '2025-11-20T14:20:00Z' };
    const line = { id: 'evals/a.eval.ts::refund[0]', trials: 1, passes: 1, judged: 1, scores: {} };
    writeFileSync(
      join(cwd, 'old.json'),
      JSON.stringify({ assay_baseline: 1, ...old, evaluations: [line] }),
    );
    const gate = ['sessions', 'gate', 'a', '--baseline', 'old.json', '--fail-on', 'regression'];
    const [ignoring] = await run([...gate, '--ignore-errors']);
    expect(ignoring?.code).to.equal(2);
    expect(ignoring?.stderr).to.include('does not say which results are errors');
  });
});
