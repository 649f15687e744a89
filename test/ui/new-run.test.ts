import { expect } from 'chai';
import { builtUi } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';
import { choose } from './screen.js';
import { servePages } from './served-pages.js';

const evals = `
import { evaluation } from 'assay';
export const one = evaluation({ cases: [{}, {}], target: () => 1 });
`;

const configs = 'configs: { fast: { concurrency: 8 } }\n';

describe('the dialog for a new run', () => {
  const pages = servePages(async () => {
    const served = await ServedProject.start(
      { 'a.eval.ts': evals, 'assay.yaml': configs },
      { ui: builtUi },
    );
    await served.runAll();
    return served;
  });

  it('takes the config that is chosen for the next run, and the name that is typed', async () => {
    const page = await pages.open();
    await page.getByRole('button', { name: 'next run: default' }).click();
    await page.getByRole('menuitemradio', { name: 'fast' }).click();
    await page.getByRole('button', { name: 'next run: fast' }).waitFor();
    await choose(page, 'More ways to run', /^New run/);
    const dialog = page.getByRole('dialog', { name: 'New run' });
    await dialog.getByText('With run config fast.').waitFor();
    await dialog.getByLabel('Name of the new run').fill('with fast');
    await dialog.getByRole('button', { name: 'Run 2' }).click();
    await dialog.waitFor({ state: 'detached' });
    const run = await pages.served.until(({ run_name }) => run_name === 'with fast');
    expect(run.config_name).to.equal('fast');
    await pages.served.until(({ state }) => state === 'finished');
  });

  /** Starts a run with the switch the other way than it is; answers with what the server is asked for. */
  async function startRun(isOnAtFirst: boolean): Promise<unknown> {
    const page = await pages.open();
    await choose(page, 'More ways to run', /^New run/);
    const dialog = page.getByRole('dialog', { name: 'New run' });
    const isolate = dialog.getByRole('switch', { name: 'one process per attempt' });
    await isolate.and(page.getByRole('switch', { checked: isOnAtFirst })).waitFor();
    await isolate.click();
    const asked = page.waitForRequest(/\/api\/runs\/new(\?|$)/);
    await dialog.getByRole('button', { name: 'Run 2' }).click();
    const request = await asked;
    expect((await request.response())?.status()).to.equal(200);
    await pages.served.until(({ state }) => state === 'finished');
    return request.postDataJSON().isolate;
  }

  it('has a switch for a process for every attempt, which shows what the settings say', async () => {
    expect(await startRun(false)).to.equal(true);
    pages.served.project.write('assay.yaml', `${configs}isolate: true\n`);
    expect(await startRun(true)).to.equal(false);
  }).timeout(120_000);
});
