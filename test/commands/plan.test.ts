import { expect } from 'chai';
import { openStore } from '../../src/store/store.js';
import { finished, startedRun, temporaryFolder } from '../store/builders.js';
import { runCommands } from './run-commands.js';

describe('assay plan', () => {
  it('plans for the newest run, or the one that is named', async () => {
    const cwd = temporaryFolder();
    const store = await openStore(`${cwd}/elsewhere`);
    for (const [name, of] of [
      ['calm-heron', 40],
      ['brisk-otter', 60],
    ] as const) {
      const owner = await startedRun(store, of, { run_name: name });
      const scores = (i: number) => [{ key: 'exact', passed: i % 4 > 0 }];
      owner.finish(Array.from({ length: of }, (_, i) => finished(i, { scores: scores(i) })));
      await owner.close('finished');
    }
    const where = ['--results-dir', 'elsewhere'];
    const [text, json, ...wrong] = await runCommands(cwd, [
      ['plan', ...where],
      ['plan', 'calm-heron', '--drop', '12.5', '--json', ...where],
      ...['0', '100', '5%', '-3', 'x', ''].map((drop) => ['plan', `--drop=${drop}`, ...where]),
      ['plan', 'nobody', ...where],
    ]);
    expect(text).to.include({ code: 0, stderr: '' });
    expect(text?.stdout).to.match(
      /^ {2}60 evaluations × 1 trial, as in brisk-otter\n {2}finds a drop of {3}≤ \d+\.\d points/,
    );
    const plan = JSON.parse(json?.stdout ?? '');
    expect(plan).to.deep.include({ run_name: 'calm-heron', pass_rate: 0.75, variance: null });
    expect(plan.wanted.drop).to.equal(0.125);
    expect(plan.wanted.broken.evaluations.evaluations).to.be.above(40);
    const missing = wrong.pop();
    for (const { code, stderr } of wrong) {
      expect(code).to.equal(2);
      expect(stderr).to.include('--drop takes percentage points above 0 and below 100, not "');
    }
    expect(missing?.code).to.equal(2);
  });
});
