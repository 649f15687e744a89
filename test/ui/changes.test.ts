import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { builtUi } from '../helpers/browser.js';
import { Project } from '../helpers/project.js';
import { ServedProject } from '../helpers/served-project.js';
import { serveKept } from './kept-page.js';
import { goWithin } from './screen.js';

const evals = (grade: string) => `
  import { readFileSync } from 'node:fs';
  import { evaluation } from 'assay';
  export const refund = evaluation({
    cases: [
      { id: 'one', input: 'x' },
      { id: 'two', input: 'y' },
    ],
    target: ({ input }) => readFileSync('refund.md', 'utf8') + input,
    evaluators: [function exact({ output }) { return ${grade}; }],
  });`;
const plain = (name: string) => `
  import { evaluation } from 'assay';
  export const ${name} = evaluation({ input: 1, target: () => 1, evaluators: [() => true] });`;

const files = { 'refund.md': 'Refund.', 'a.eval.ts': evals('true'), 'b.eval.ts': plain('plain') };

describe('files that change under a server', function () {
  this.timeout(240_000);
  const pages = serveKept(async () => {
    const project = new Project(files);
    // What is as young as the server counts as saved.
    await setTimeout(100);
    return ServedProject.start(project, { ui: builtUi, watches: true });
  });

  it('the page shows what is there, says what is out of date, and runs only that', async () => {
    const { served } = pages;
    const { project } = served;
    const page = await pages.open();
    // Each change imports the eval files again, which a busy machine does slowly.
    page.setDefaultTimeout(60_000);
    const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
    await row('plain').waitFor();
    // The run that has not started.
    project.write('c.eval.ts', plain('added'));
    await row('added').waitFor();
    project.remove('c.eval.ts');
    await row('added').waitFor({ state: 'detached' });

    const { run_id } = await served.runAll();
    await goWithin(page, `/?run=${run_id}`);
    await row('plain').waitFor();
    const bar = page.getByRole('status').filter({ hasText: 'Code changed' });
    expect(await bar.count()).to.equal(0);
    project.write('a.eval.ts', evals('false'));
    await bar.getByText('2 results are affected').waitFor();
    await bar.getByText('Reason: a.eval.ts (refund)').waitFor();
    expect(await page.getByText('code changed', { exact: true }).count()).to.equal(2);
    await bar.getByRole('button', { name: '2 results' }).click();
    await page.waitForURL(/changed=true/);
    await row('plain').waitFor({ state: 'detached' });
    await page.getByText('2 of 3', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^changed 2/ }).waitFor();
    await bar.getByRole('button', { name: 'Regrade 2' }).click();
    await bar.waitFor({ state: 'detached' });
    await page.getByText('0 of 3', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Clear' }).first().click();
    await row('plain').waitFor();
    const graded = await served.until(({ state }) => state === 'finished');
    expect(graded.total_passed).to.equal(1);

    project.write('refund.md', 'No refund.');
    project.write('c.eval.ts', plain('added'));
    await bar.getByText('2 results are affected, 1 new').waitFor();
    expect(await bar.getByRole('button', { name: /^Regrade/ }).count()).to.equal(0);
    await bar.getByRole('button', { name: 'Rerun 3' }).click();
    await row('added').waitFor();
    const done = await served.until(
      ({ state, results }) => state === 'finished' && results.length === 4,
    );
    expect(done.run_id).to.equal(run_id);
    await bar.waitFor({ state: 'detached' });
  });

  it('marks what comes from another run, in rows, the filter and the result', async () => {
    const { served } = pages;
    const { project } = served;
    const base = await served.active();
    project.write('b.eval.ts', plain('plain').replace('=> 1', '=> 2'));
    const { code, stderr } = await project.assay(['run', '--changed', '--run-name', 'second']);
    expect(code, stderr).to.equal(0);
    const { runs } = (await served.get('/api/sessions/default/runs')).body;
    const { run_id } = runs.find((run: { run_name: string }) => run.run_name === 'second');
    const page = await pages.open(`/?run=${run_id}`);
    const first = page.getByRole('row', { name: /refund\[one\]/ });
    await first.getByText(`carried over from ${base.run_name}`).waitFor();
    await page.getByRole('button', { name: /^carried/ }).click();
    await page.waitForURL(/origin=carried/);
    await first.waitFor();
    await goWithin(page, `/?run=${run_id}`);
    const ran = page.getByRole('row', { name: /plain/ });
    await ran.getByText('b.eval.ts (plain)', { exact: true }).waitFor();
    await goWithin(page, `/runs/${run_id}/results/2`);
    await page.getByText('reason: b.eval.ts (plain)').waitFor();
    await goWithin(page, `/runs/${run_id}/results/0`);
    await page.getByText('carried over from').waitFor();
    const link = page.getByRole('link', { name: base.run_name }).first();
    expect(await link.getAttribute('href')).to.equal(`/?run=${base.run_id}`);
    await goWithin(page, `/compare?run=${base.run_id}&run=${run_id}&change=same`);
    await page.getByText(`from ${base.run_name}`).first().waitFor();
  });
});
