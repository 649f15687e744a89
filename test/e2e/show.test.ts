import { expect } from 'chai';
import type { ResultPage } from '../../src/model/result-page.js';
import { type Project, ProjectWithoutHosts } from '../helpers/project.js';

const why = `it must mention the window of thirty days, ${'be polite, '.repeat(10)}and promise nothing`;

const evals = `
import { evaluation } from 'assay';
export const refund = evaluation({
  cases: [
    { id: 'polite', input: 'please', reference: 'refund', labels: ['smoke'], metadata: { team: 'support' } },
    { id: 'angry', input: { turns: ['REFUND', 'NOW'] }, reference: 'refund' },
  ],
  target: (ctx) => { console.log('asked'); console.error('twice'); return 'refund of ' + ctx.caseId; },
  evaluators: [({ output, reference }) => ({ key: 'exact', passed: false, value: 0.25, notes: ${JSON.stringify(why)} })],
});
export const broken = evaluation({ target: () => { throw new Error('no model'); } });
export const tried = evaluation({ trials: 2, target: () => 'x', evaluators: [() => true] });
`;

const asserted = `
import assert from 'node:assert/strict';
import { evaluation } from 'assay';
export const sum = evaluation({ input: 2 }, ({ input }) => {
  assert.equal(input + 1, 2, 'one too many');
});
`;

/** What stands below the line that says what is run, without the time that it took. */
const reportOf = (text: string) =>
  text
    .slice(text.indexOf('    evaluation'))
    .replace(/ · \d+\.\d s\n/, '\n')
    .replace(/^ {2}! .*\n( {4,}.*\n)*\n?/gm, '');

describe('assay show', () => {
  let project: Project;
  let first: string;
  before(async () => {
    project = new ProjectWithoutHosts({
      'a.eval.ts': evals,
      'b.eval.ts': evals.replace('trials: 2, ', ''),
      'evals/c.eval.ts': asserted,
    });
    first = (await project.run(['b.eval.ts', '--run-name', 'calm-heron'])).run.run_id;
  });

  it('prints a saved run as run did', async () => {
    // In a process of its own: it says how long that took.
    const ran = await project.start(['run', 'b.eval.ts', '--run-name', 'brisk-otter']).ended;
    const shown = await project.assay(['show']);
    expect(shown.code).to.equal(0);
    expect(shown.stderr).to.equal('');
    expect(shown.stdout).to.match(
      /^b\.eval\.ts · session default · run brisk-otter · config default · just now\n/,
    );
    expect(reportOf(shown.stdout)).to.equal(reportOf(ran.stderr));
    expect(shown.stdout).to.include('Error: no model');
    const json = await project.assay(['show', 'calm-heron', '--json']);
    expect(json.json().run_id).to.equal(first);
    expect(json.stdout).to.equal((await project.assay(['export', first])).stdout);
  });

  it('prints one result whole', async () => {
    const { stdout } = await project.assay(['show', first, 'b.eval.ts::refund[polite]']);
    for (const text of [
      '✗ b.eval.ts::refund[polite]\n  failed · ',
      ' · dataset b · #smoke\n',
      `\n  scores\n    ✗ exact 0.25\n      ${why}\n`,
      '\n  input\n    please\n',
      '\n  output\n    refund of polite\n',
      '\n  reference\n    refund\n',
      '\n  metadata\n    {"team":"support"}\n',
      '\n  logs\n    stdout │ asked\n    stderr │ twice\n',
    ]) {
      expect(stdout).to.include(text);
    }
    const narrow = await project.assay(['show', first, 'refund[angry]'], {
      env: { COLUMNS: '70' },
    });
    expect(Math.max(...narrow.stdout.split('\n').map((line) => line.length))).to.be.within(60, 70);
    expect(narrow.stdout.replace(/\s+/g, ' ')).to.include(why);
    expect(narrow.stdout).to.include('{"turns":["REFUND","NOW"]}');
    const error = await project.assay(['show', first, 'b.eval.ts::broken', '--session', 'default']);
    expect(error.stdout).to.match(
      /\n {2}error\n {4}Error: no model\n {8}at target \(.*b\.eval\.ts:11:/,
    );
    const { stdout: json } = await project.assay(['show', first, 'broken', '--json']);
    const page = JSON.parse(json) as ResultPage;
    expect(page).to.include({ index: 2, total: 4, run_id: first, run_name: 'calm-heron' });
    expect(page.result.result.error).to.match(/^Error: no model/);
  });

  it('says where an assertion failed', async () => {
    await project.assay(['run', 'evals/c.eval.ts', '--session', 'asserted']);
    const place = 'evals/c.eval.ts:5:10';
    const run = await project.assay(['show', '--session', 'asserted']);
    const reason = `\n  ✗ sum   correctness: one too many\n    3 !== 2\n    at ${place}\n`;
    expect(run.stdout).to.include(reason);
    const { stdout } = await project.assay(['show', 'latest', 'sum', '--session', 'asserted']);
    expect(stdout).to.include('\n    ✗ correctness\n      one too many\n');
    expect(stdout).to.include(`\n      3 !== 2\n      at ${place}\n`);
  });

  it('suggests ids near to one that is none, and those that a name has', async () => {
    const near = await project.assay(['show', first, 'b.eval.ts::refund[polit]']);
    expect(near.code).to.equal(2);
    expect(near.stderr).to.include('calm-heron has no result "b.eval.ts::refund[polit]".');
    expect(near.stderr).to.include('Did you mean b.eval.ts::refund[polite]');
    await project.run(['a.eval.ts', '--run-name', 'trials']);
    const several = await project.assay(['show', 'trials', 'refund']);
    expect(several.code).to.equal(2);
    const [polite, angry] = ['a.eval.ts::refund[polite]', 'a.eval.ts::refund[angry]'];
    expect(several.stderr).to.include(`${polite}\n  ${angry}\n`);
    const ofTrials = await project.assay(['show', 'trials', 'tried']);
    expect(ofTrials.stdout).to.match(/^✓ a\.eval\.ts::tried~1\n/);
    const one = await project.assay(['show', 'trials', './a.eval.ts::tried~2']);
    expect(one.stdout).to.match(/^✓ a\.eval\.ts::tried~2\n/);
    const none = await project.assay(['show', 'previos', '--json']);
    expect(none.code).to.equal(2);
    expect(JSON.parse(none.stdout)).to.deep.equal({
      error: {
        code: 'no-such-run',
        message: 'There is no run "previos".',
        hints: ['Did you mean previous?'],
      },
    });
  });

  it('shows, exports and compares what filters select, with no rates of what an outcome has chosen', async () => {
    const by = ['--where', 'metadata.team=support'];
    const shown = await project.assay(['show', first, ...by]);
    expect(shown.stdout).to.match(/^.* · 1 of \d results\n/);
    expect(shown.stdout).to.match(/0\.0 %/);
    const failed = await project.assay(['show', first, '--where', 'status=failed', '--json']);
    expect(failed.json().summary).to.include({ counts_only: true });
    const args = ['export', first, '-f', 'csv', '--columns', 'id', '-t', 'refund', '--sample', '1'];
    expect((await project.assay(args)).stdout).to.match(/^id\r?\nb\.eval\.ts::refund\[\w+\]\r?\n$/);
    const same = await project.assay(['compare', first, first, ...by, '--json']);
    expect(JSON.parse(same.stdout).comparisons[0].changes).to.include({ same: 1 });
    const refused = await project.assay(['compare', first, first, '--where', 'status=failed']);
    expect(refused.code).to.equal(2);
    expect(refused.stderr).to.include(
      'chooses results by what came of them, so that they cannot be compared',
    );
  });

  it('says why many results failed, by reason', async () => {
    project.write(
      'reasons.eval.ts',
      `import { evaluation } from 'assay';
      export const days = evaluation({
        cases: [1, 2, 3, 4, 5, 6, 7].map((input) => ({ id: 'd' + input, input })),
        target: ({ input }) => { if (input > 5) throw new Error('429 for call ' + input); return input; },
        evaluators: [({ output }) => ({ key: 'exact', passed: output === 2, notes: 'wanted 2 days, got ' + output })],
      });`,
    );
    const ran = await project.assay(['run', 'reasons.eval.ts', '--run-name', 'reasons']);
    const lines = [
      '  4 ×   exact   wanted 2 days, got 1        days[d1], days[d3], 2 more',
      '  2 ×   error   Error: 429 for call 6   days[d6], days[d7]',
    ].map((line) => line.replace(/ +/g, ' '));
    const shown = await project.assay(['show', 'reasons', '--by', 'reason']);
    for (const text of [ran.stderr, shown.stdout]) {
      const found = text.split('\n').map((line) => line.replace(/ +/g, ' '));
      for (const line of lines) expect(found).to.include(line);
    }
    const json = await project.assay([
      'show',
      'reasons',
      '--by',
      'reason',
      '--json',
      '-t',
      'd[67]',
    ]);
    expect(JSON.parse(json.stdout)).to.deep.include({
      failures: 2,
      reasons: [
        {
          ...{ key: null, text: 'Error: 429 for call 6', same: false },
          reason: '=Error: # for call #',
          ...{ results: 2, ids: ['reasons.eval.ts::days[d6]', 'reasons.eval.ts::days[d7]'] },
        },
      ],
    });
  });

  it('prints an exported run and a run folder from elsewhere', async () => {
    await project.assay(['export', first, '-o', 'out.json']);
    const file = await project.assay(['show', 'out.json']);
    const saved = await project.assay(['show', first]);
    expect(reportOf(saved.stdout).startsWith(reportOf(file.stdout).trimEnd())).to.equal(true);
    expect(file.stdout).to.not.include('saved as');
    const result = await project.assay(['show', 'out.json', 'refund[angry]']);
    expect(result.stdout).to.equal((await project.assay(['show', first, 'refund[angry]'])).stdout);
  });

  describe('--by', () => {
    it('prints a line for each group', async () => {
      const { stdout } = await project.assay(['show', first, '--by', 'metadata.team']);
      expect(stdout).to.match(
        /^ {2}metadata\.team +results +passed +95 % +errors +p50\n {2}support +1 +0\.0 % +0\.0–79\.3 +0 +\S+ ms\n {2}\(no metadata\.team\) +3 +33.3 % /,
      );
      const { stdout: byFile } = await project.assay(['show', first, '--by', 'file']);
      expect(byFile).to.match(/^ {2}file +results +passed.*\n {2}b\.eval\.ts +4 /);
    });

    it('shows the difference from the previous run of the session, or why there is none', async () => {
      const file = (worse: boolean) => `
        import { evaluation } from 'assay';
        const set = (dataset: string, from: number) => ({
          cases: Array.from({ length: 12 }, (_, n) => ({ id: 'c' + n, input: n, dataset, labels: ${worse} && n > 9 ? ['odd'] : [] })),
          target: ({ input }) => (input >= from ? 'right' : 'wrong'),
          evaluators: [({ output }) => output === 'right'],
        });
        export const orders = evaluation(set('orders', ${worse ? 10 : 0}));
        export const tone = evaluation(set('tone', ${worse ? 1 : 0}));
        ${worse ? "export const added = evaluation({ dataset: 'added', target: () => 'x', evaluators: [() => true] });" : ''}
      `;
      const own = new ProjectWithoutHosts({ 'd.eval.ts': file(false) });
      await own.run(['--run-name', 'tidy-maple']);
      own.write('d.eval.ts', file(true));
      await own.run(['--run-name', 'brisk-otter']);
      const show = async (...more: string[]) =>
        (await own.assay(['show', ...more])).stdout.replaceAll(/ +/g, ' ');
      expect(await show('--by', 'dataset')).to.match(
        /^ dataset results passed 95 % p50 since tidy-maple\n orders 12 16\.7 % \S+ \S+ ms ▼ −83\.3\n tone 12 91\.7 % \S+ \S+ ms −8\.3\n added 1 100\.0 % \S+ \S+ ms –\n\n –: no case of the group has a verdict in both runs\.\n$/,
      );
      expect(await show('--by', 'output')).to.match(
        /\n\n Not compared with tidy-maple: groups by output depend on the outcome\.\n$/,
      );
      expect(await show('previous', '--by', 'dataset')).to.not.include('since');
      const { previous, groups } = JSON.parse(await show('--by', 'dataset', '--json'));
      expect(previous.run_name).to.equal('tidy-maple');
      expect(groups[0].difference).to.deep.include({ pairs: 12, beyond_chance: true });
    });

    it('says what there is instead of what was meant', async () => {
      const cases: [string[], string][] = [
        [
          ['--by', 'metadata.taem'],
          '✗ No result of calm-heron has metadata.taem.\n  Did you mean team?',
        ],
        [['--by', 'metadata.color'], 'There are team.'],
        [
          ['--by', 'day'],
          '✗ --by must be one of dataset, label, evaluation, file, metadata.KEY, input.PATH, output.PATH, reference.PATH, not "day".',
        ],
        [
          ['--by', 'file', '--sort', 'x'],
          '✗ --sort must be passed, results, key, latency, calls, tokens, cost or score:KEY, not "x".',
        ],
        [['refund[polite]', '--by', 'file'], '✗ --by shows a run, not one result.'],
      ];
      for (const [args, text] of cases) {
        const { code, stderr } = await project.assay(['show', first, ...args]);
        expect([code, stderr]).to.deep.equal([2, stderr]);
        expect(stderr).to.include(text);
      }
    });
  });

  it('shows a saved view of the dashboard, in its groups, or the views that there are', async () => {
    const own = new ProjectWithoutHosts({
      'b.eval.ts': evals.replace('trials: 2, ', ''),
      'assay.yaml': `views:
  failing:
    query: status=failed&sort=latency&groups=folded&fold=none
    columns: [output]
  by team:
    query: status=failed&by=metadata.team
  all:
  none:
    query: dataset=moved
  old:
    query: status=failde
`,
    });
    const { run } = await own.run(['--run-name', 'calm-heron']);
    const show = (...args: string[]) => own.assay(['show', ...args]);
    const failing = await show('--view', 'failing');
    expect(failing.stdout).to.match(/^.* · view failing: 2 of 4 results, counts only\n/);
    expect(failing.stdout)
      .to.match(/✗ refund\[/)
      .and.to.include('\n  2 cases · 0 passed · 2 failed')
      .and.not.to.match(/\d %/);
    expect(failing.stdout).to.not.match(/broken|tried/);
    const part = JSON.parse((await show('--view', 'failing', '--json')).stdout);
    expect(part).to.include({ run_id: run.run_id, part_of: 4, total_evaluations: 2 });
    const grouped = (await show('--view', 'by team')).stdout;
    expect(grouped).to.match(
      /^view by team: 2 of 4 results, counts only\n\n {2}metadata\.team +results .*\n {2}support +1 .*\n {2}\(no metadata\.team\) +1 .*\n\n {2}no earlier run of config default\n$/,
    );
    const json = JSON.parse((await show('--view', 'failing', '--by', 'file', '--json')).stdout);
    expect(json).to.deep.include({ by: 'file', view: 'failing', total: 4, filtered: 2 });
    expect(json.groups[0].results).to.equal(2);
    expect((await show('--view', 'all')).stdout).to.include('view all: 4 of 4 results');
    expect((await show('--view', 'none')).stdout).to.include('\n  0 cases · 0 passed');
    await own.assay(['export', 'latest', '-o', 'out.json']);
    for (const [args, text] of [
      [
        ['--view', 'fialing'],
        '✗ There is no view "fialing" in assay.yaml.\n  Did you mean failing?\n',
      ],
      [['--view', 'x'], '  The views are "failing", "by team", "all", "none", "old".'],
      [['--view', 'old'], '✗ The view "old" cannot be shown: status must be one of '],
      [['latest', 'broken', '--view', 'all'], '✗ --view shows a run, not one result.'],
      [['out.json', '--view', 'all'], '✗ --view shows runs of the results directory'],
    ] as const) {
      const { code, stderr } = await show(...args);
      expect([code, stderr]).to.deep.equal([2, stderr]);
      expect(stderr).to.include(text);
    }
    own.remove('assay.yaml');
    expect((await show('--view', 'x')).stderr).to.include('There is no view "x" in assay.yaml.');
  });
});

describe('previous and latest~N', () => {
  it('name runs wherever one can be named, and say how far back there are any', async () => {
    const project = new ProjectWithoutHosts({ 'b.eval.ts': evals.replace('trials: 2, ', '') });
    for (const name of ['one', 'two', 'three']) {
      await project.run(['--run-name', name, '--session', name === 'two' ? 'other' : 'default']);
    }
    const shown = async (...args: string[]) => {
      const { stdout } = await project.assay(['export', ...args]);
      return (JSON.parse(stdout) as { run_name: string }).run_name;
    };
    expect(await shown('previous')).to.equal('two');
    expect(await shown('latest~0')).to.equal('three');
    expect(await shown('latest~2')).to.equal('one');
    expect(await shown('previous', '--session', 'default')).to.equal('one');
    const far = await project.assay(['export', 'latest~3']);
    expect(far.code).to.equal(2);
    expect(far.stderr).to.equal('✗ There are only 3 saved runs.\n  latest~2 is the oldest.\n');
    const compared = await project.assay(['compare', 'previous', 'latest']);
    expect(compared.code).to.equal(0);
    expect(compared.stdout).to.equal(
      (await project.assay(['sessions', 'compare', 'two', 'three'])).stdout,
    );
    const gated = await project.assay(['run', '--rerun', 'latest', '--baseline', 'previous']);
    expect(gated.stderr).to.include('two');
    expect((await project.assay(['sessions', 'rename-run', 'latest~2', 'uno'])).code).to.equal(0);
    expect(await shown('latest~2')).to.equal('uno');
    expect((await project.assay(['compare', '--help'])).stdout).to.include('compare BASE RUN');
  });
});
