import { expect } from 'chai';
import { builtUi } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';
import { serveKept } from './kept-page.js';
import { part } from './result-project.js';
import { goWithin } from './screen.js';

const evals = `
import { evaluation } from 'assay';
export const near = evaluation({
  dataset: 'near',
  scores: { near: { threshold: 0.8 }, tokens: { threshold: 500, better: 'lower' } },
  cases: [0.62, 0.83].map((input) => ({ input })),
  target: (ctx) => ctx.input,
  evaluators: [function near({ output }) { return output; }, function tokens() { return 412; }],
});
`;

const trials = `
import { evaluation } from 'assay';
export const spent = evaluation({
  dataset: 'trials', trials: 3,
  target: (ctx) => ctx.trial,
  evaluators: [
    function tokens({ output }) { return [400, 410, 5000][output - 1]; },
    function near({ output }) { return output / 4; },
  ],
});
`;

describe('scores with thresholds in the web UI', function () {
  this.timeout(120_000);
  const at = serveKept(async () => {
    const served = await ServedProject.start(
      { 'a.eval.ts': evals, 'b.eval.ts': trials },
      { ui: builtUi },
    );
    await served.runAll();
    return served;
  });

  it('show values as they stand to their threshold, and how many passed', async () => {
    const page = await at.open('/?dataset=near');
    await page.getByText('0.62 < 0.8').waitFor();
    await page.getByText('0.83 ≥ 0.8').waitFor();
    await page.getByRole('button', { name: 'near ≥ 0.8' }).click();
    await page.getByText('0.83 ≥ 0.8').waitFor({ state: 'detached' });
  });

  it('have a mean, and the share that passed with its interval as at the terminal', async () => {
    const page = await at.open('/?dataset=near');
    const table = page.getByRole('table', { name: 'Scores' });
    expect(await table.getByRole('columnheader').nth(2).innerText()).to.equal('value');
    const cells = async (n: number) =>
      (await table.getByRole('row').nth(n).getByRole('cell').allInnerTexts()).slice(0, 3);
    expect([await cells(1), await cells(2), await cells(3), await cells(4)]).to.deep.equal([
      ['95 % interval: n too small\nn too small', '0.725', 'mean of 2'],
      ['95 % interval: 9.5–90.5', '50.0 %', '1 / 2'],
      ['95 % interval: unbounded values\nunbounded values', '412', 'p50 of 2, p95 412'],
      ['95 % interval: 34.2–100.0', '100.0 %', '2 / 2'],
    ]);
    // The whisker of a share is drawn.
    const whiskers = (n: number) =>
      table.getByRole('row').nth(n).locator('[class*=whisker]').count();
    expect([await whiskers(2), await whiskers(4)]).to.deep.equal([1, 1]);
  });

  it('show p50 of unbounded values in the row of a case, and the mean of grades', async () => {
    const page = await at.open('/?dataset=trials');
    const row = page.getByRole('row').filter({ hasText: 'spent' });
    await row.getByText('410', { exact: true }).waitFor();
    await row.getByText('0.5', { exact: true }).waitFor();
    expect(await row.getByText('410', { exact: true }).getAttribute('title')).to.equal(
      'p50 410, p95 4,541',
    );
    const table = page.getByRole('table', { name: 'Scores' });
    await table.getByText('p50 of 3, p95 4,541').waitFor();
  });

  it('get the verdict of the value that is entered, which the form shows', async () => {
    const { served } = at;
    const { run_id: run } = await served.active();
    const page = await at.open('/?dataset=near');
    await goWithin(page, `/runs/${run}/results/0`);
    const scores = part(page, 'Scores');
    await scores.getByText('0.62 < 0.8').waitFor();
    await scores.getByRole('button', { name: 'Edit near' }).click();
    const form = scores.getByRole('form', { name: 'Edit near' });
    await form.getByText('fails, wanted ≥ 0.8').waitFor();
    await form.getByLabel('value').fill('0.9');
    await form.getByText('passes, wanted ≥ 0.8').waitFor();
    await page.keyboard.press('Control+Enter');
    await scores.getByText('0.9 ≥ 0.8').waitFor();
    const { result } = (await served.get(`/api/runs/${run}/results/0`)).body.result;
    expect(result.scores[0]).to.deep.equal({
      key: 'near',
      passed: true,
      value: 0.9,
      threshold: 0.8,
      source: 'human',
    });
  });
});
