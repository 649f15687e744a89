import assert from 'node:assert/strict';
import { Project } from '../helpers/project.js';

describe('assay run --changed --verify', () => {
  /** Its results depend on a file that nobody notices. */
  function projectOf(): Project {
    const project = new Project({
      'words.ts': 'export const used = () => 1;\nexport const unused = () => 1;\n',
      'a.eval.ts': `
        import { readFileSync } from 'node:fs';
        import { evaluation } from 'assay';
        import { used } from './words.js';
        export const outside = evaluation({
          cases: Array.from({ length: 10 }, (_, n) => ({ id: String(n), input: n })),
          target: ({ input }) => input + used() + Number(readFileSync('.assay/unseen.txt', 'utf8')),
          evaluators: [function small({ output }) { return output < 10; }],
        });`,
      '.assay/unseen.txt': '0',
    });
    return project;
  }

  const gates = ['--fail-on', 'carried-wrongly', '--fail-under', '0.9'];

  it('runs a part of the carried results again, and says that they agree', async () => {
    const project = projectOf();
    const { run_name } = (await project.run()).run;
    // What is not used changes the hash of the code, which is no other code of these results.
    project.write(
      'words.ts',
      project.read('words.ts').replace('unused = () => 1', 'unused = () => 2'),
    );
    const some = await project.assay(['run', '--changed', '--verify', '25%', ...gates]);
    assert.equal(some.code, 0, some.stderr);
    assert.match(some.stderr, /^a\.eval\.ts · 10 cases, 3 to run/);
    assert.match(
      some.stderr,
      new RegExp(`10 cases · 3 ran to verify · 10 carried from ${run_name}`),
    );
    assert.match(some.stderr, /^ {2}3 of 10 carried ran again: 3 agree$/m);
    assert.match(some.stderr, /✓ none of 3 carried results that ran again differs beyond chance/);
    const two = await project.run(['--changed', '--verify', '2']);
    const verifying = two.run.results.filter(({ result }) => result.verifies);
    assert.equal(verifying.length, 2);
    assert.ok(verifying.every(({ result }) => result.reason === 'to verify what is carried'));
    assert.deepEqual(two.run.verified, { carried: 10, results: 2, agree: 2 });
    const none = await project.run(['--changed', '--verify', '100%', '--session', 'empty']);
    assert.equal(none.run.verified, undefined);
  });

  it('reports what differs; what was carried goes on counting', async () => {
    const project = projectOf();
    await project.run();
    project.write('.assay/unseen.txt', '5');
    const ended = await project.assay(['run', '--changed', '--verify', '100%', ...gates]);
    assert.equal(ended.code, 1);
    assert.match(
      ended.stderr,
      /carried wrongly\? a\.eval\.ts::outside\[7\]: carried pass, now fail, no model/,
    );
    assert.match(ended.stderr, /now pass with another output.*\n {4}output {3}- 1\n {13}\+ 6\n/);
    assert.match(ended.stderr, /✓ pass rate 90\.0 % \(9 of 10\)|✓ pass rate 90 % \(9 of 10\)/);
    assert.match(
      ended.stderr,
      /✗ carried wrongly\? 10 of 10 carried results that ran again differ/,
    );

    const saved = await project.exported();
    assert.equal(saved.run.verified?.differ, 10);
    assert.equal(saved.run.summary.pass_rate?.passed, 9);
    const [first] = saved.run.results;
    assert.equal(first?.result.output, 6);
    assert.equal(first?.counted?.output, 1);
    assert.match((await project.assay(['show', 'latest'])).stdout, /10 of 10 carried ran again/);
    const gate = ['sessions', 'gate', 'latest', ...gates];
    assert.equal((await project.assay(gate)).code, 1);
    project.write('run.json', (await project.assay(['export', 'latest', '-f', 'json'])).stdout);
    await project.assay(['sessions', 'import', 'run.json', '--session', 'copies']);
    const copy = await project.assay([
      'sessions',
      'gate',
      'latest',
      '--session',
      'copies',
      ...gates,
    ]);
    assert.match(copy.stderr, /✗ carried wrongly\?/);

    // Running all of them once more does not make it right.
    project.write('.assay/unseen.txt', '0');
    const cases = Array.from({ length: 10 }, (_, n) => `a.eval.ts::outside[${n}]`);
    const once = await project.assay(['run', '--rerun', 'latest', ...cases]);
    assert.match(once.stderr, /10 of 10 carried ran again: 0 agree, 10 ran once more since/);
    assert.equal((await project.assay(gate)).code, 2);
    // The next run carries what counts, not the new draw.
    const next = await project.run(['--changed']);
    assert.deepEqual(
      next.run.results.map(({ result }) => result.output),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    );
    const unverified = await project.assay([
      'sessions',
      'gate',
      'latest',
      '--fail-on',
      'carried-wrongly',
    ]);
    assert.equal(unverified.code, 2);
    assert.match(unverified.stderr, /none of 10 carried results ran again/);
  });

  it('refuses what makes no sense', async () => {
    const project = projectOf();
    const refused = async (args: readonly string[], message: RegExp) => {
      const { code, stderr } = await project.assay(['run', ...args]);
      assert.equal(code, 2);
      assert.match(stderr, message);
    };
    for (const part of ['0', '0%', '101%', '1.5', '-3', 'some']) {
      await refused(['--changed', `--verify=${part}`], /takes a share or a number of results/);
    }
    await refused(['--verify', '5%'], /--changed/);
    await refused(['--changed', '--fail-on', 'carried-wrongly'], /needs --changed --verify/);
    project.write('assay.yaml', 'capture: off\n');
    await refused(['--changed', '--verify', '5%'], /the setting capture is off/);
  });
});
