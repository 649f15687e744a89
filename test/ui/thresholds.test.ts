import { expect } from 'chai';
import { builtUi, closePages } from '../helpers/browser.js';
import { removeProjects } from '../helpers/project.js';
import { closeServers, ServedProject } from '../helpers/served-project.js';
import { open, part } from './result-project.js';

const evals = `
import { evaluation } from 'assay';
export const near = evaluation({
  scores: { near: { threshold: 0.8 }, tokens: { threshold: 500, better: 'lower' } },
  cases: [0.62, 0.83].map((input) => ({ input })),
  target: (ctx) => ctx.input,
  evaluators: [function near({ output }) { return output; }, function tokens() { return 412; }],
});
`;

describe('scores with thresholds in the web UI', () => {
  let served: ServedProject;
  let run: string;

  before(async function () {
    this.timeout(60_000);
    served = await ServedProject.start({ 'near.eval.ts': evals }, { ui: builtUi });
    run = (await served.runAll()).run_id;
  });
  afterEach(closePages);
  after(async () => {
    await closeServers();
    removeProjects();
  });

  it('show values as they stand to their threshold, and how many passed', async () => {
    const { page } = await open(served, `/?run=${run}`);
    await page.getByText('.62 < .8').waitFor();
    await page.getByText('.83 ≥ .8').waitFor();
    const rows = page.getByRole('table', { name: 'Scores' }).getByRole('row');
    const row = (key: string) => rows.filter({ hasText: key }).innerText();
    expect((await row('near')).replace(/\s+/g, ' ')).to.match(/\.7\d? 1 \/ 2 ≥ \.8/);
    expect((await row('tokens')).replace(/\s+/g, ' ')).to.contain('412 2 / 2 ≤ 500');
    await rows.filter({ hasText: 'near' }).getByRole('button').click();
    await page.getByText('.83 ≥ .8').waitFor({ state: 'detached' });
  });

  it('get the verdict of the value that is entered, which the form shows', async () => {
    const { page } = await open(served, `/runs/${run}/results/0`);
    const scores = part(page, 'Scores');
    await scores.getByText('.62 < .8').waitFor();
    await scores.getByRole('button', { name: 'Edit near' }).click();
    const form = scores.getByRole('form', { name: 'Edit near' });
    await form.getByText('fails, wanted ≥ .8').waitFor();
    await form.getByLabel('value').fill('0.9');
    await form.getByText('passes, wanted ≥ .8').waitFor();
    await page.keyboard.press('Control+Enter');
    await scores.getByText('.90 ≥ .8').waitFor();
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
