import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { builtUi } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';
import { keepPage } from './kept-page.js';
import { choose, goWithin, holdBack } from './screen.js';

// Of ten results seven pass or fail, two are errors, and one has no verdict.
const evals = `
import { evaluation } from 'assay';
export const answer = evaluation({
  cases: Array.from({ length: 10 }, (_, i) => ({ id: 'c' + i, input: i })),
  target: (ctx) => {
    if (ctx.input < 2) throw new Error('no answer');
    return ctx.input;
  },
}, (ctx) => { ctx.score('size', 1); if (ctx.input < 9) ctx.score('exact', ctx.input > 2); });
`;
const file = `# ours
concurrency: 4 # four
mine: [1, 2]
configs:
  fast:
    concurrency: 8
`;

describe('runs on screen', function () {
  this.timeout(120_000);
  let served: ServedProject;
  let page: Page;
  const ids: string[] = [];
  const kept = keepPage(() => served.url);
  const open = async (path: string) => {
    page = await kept.open(path);
  };
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  before(async () => {
    served = await ServedProject.start(
      { 'a.eval.ts': evals, 'assay.yaml': file },
      { ui: builtUi, runName: 'brisk-otter' },
    );
    ids.push((await served.runAll()).run_id);
  });

  describe('the settings dialog', () => {
    const dialog = () => page.getByRole('dialog', { name: 'Settings' });
    const field = (name: string) => dialog().getByLabel(name);
    beforeEach(async () => {
      served.project.write('assay.yaml', file);
      await open('/');
      await button('Settings').click();
      await field('Concurrency').waitFor();
    });

    it('shows what the file sets and the defaults of the rest, and says by the field what is wrong', async () => {
      expect(await field('Concurrency').inputValue()).to.equal('4');
      expect(await field('Timeout').inputValue()).to.equal('');
      for (const [name, value] of [
        ['Timeout', '300'],
        ['Trials', '1'],
        ['Results folder', '.assay/sessions'],
      ] as const) {
        expect(await field(name).getAttribute('placeholder')).to.equal(value);
      }
      const notify = dialog().getByRole('switch', { name: 'Notifications' });
      expect(await notify.getAttribute('aria-checked')).to.equal('false');
      await dialog().getByText('Run config default is chosen for the next new run').waitFor();

      await field('Concurrency').fill('2500');
      await dialog().getByText('A whole number from 1 to 1000; 2500 is too many.').waitFor();
      const save = dialog().getByRole('button', { name: 'Save' });
      expect(await save.isDisabled()).to.equal(true);
      expect(await field('Concurrency').getAttribute('aria-invalid')).to.equal('true');
      await dialog().getByText('Correct 1 field to save').waitFor();
      await field('Concurrency').fill('1000');
      expect(await save.isDisabled()).to.equal(false);

      // What only the server can know.
      served.project.write('taken', 'a file');
      await field('Results folder').fill('taken/below');
      await page.keyboard.press('Enter');
      const fault = dialog().getByRole('alert');
      await fault.waitFor();
      expect(await fault.innerText()).to.contain('taken');
      await field('Results folder').fill('elsewhere');
      expect(await fault.count()).to.equal(0);
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
      expect(served.read('assay.yaml')).to.equal(file);
    });

    it('saves with the keyboard; what else the file holds stays', async () => {
      await field('Concurrency').fill('');
      await field('Timeout').fill('2.5');
      await dialog().getByRole('switch', { name: 'Notifications' }).click();
      await field('Trials').fill('3');
      await page.keyboard.press('Enter');
      await dialog().waitFor({ state: 'detached' });
      await page.getByText('Settings saved.').waitFor();
      const text = served.read('assay.yaml');
      expect(text).to.match(/# ours/);
      expect(text).to.match(/mine: \[ ?1, 2 ?\]/);
      expect((await served.get('/api/config')).body).to.deep.equal({
        timeout: 2.5,
        trials: 3,
        completion_notifications: true,
      });
      served.project.write('assay.yaml', file);
    });
  });

  describe('the dialog for a new run', () => {
    /** Opens it and presses the switch; answers with the button that starts the run. */
    const isolated = async (isOnAtFirst: boolean) => {
      await choose(page, 'More ways to run', /^New run/);
      const dialog = page.getByRole('dialog', { name: 'New run' });
      const isolate = dialog.getByRole('switch', { name: 'one process per attempt' });
      await isolate.and(page.getByRole('switch', { checked: isOnAtFirst })).waitFor();
      await isolate.click();
      return dialog;
    };
    /** Starts the run and waits for its end; answers with what the server was asked for. */
    const startRun = async (): Promise<{ readonly isolate: unknown }> => {
      const asked = page.waitForRequest(/\/api\/runs\/new(\?|$)/);
      await page.getByRole('dialog').getByRole('button', { name: 'Run 10' }).click();
      const request = await asked;
      expect((await request.response())?.status()).to.equal(200);
      await served.until(({ state }) => state === 'finished');
      ids.push(await served.activeId());
      return request.postDataJSON();
    };

    it('takes the config that is chosen for the next run, the name, and a process for every attempt', async () => {
      await open('/');
      await button('next run: default').click();
      await page.getByRole('menuitemradio', { name: 'fast' }).click();
      await button('next run: fast').waitFor();
      const dialog = await isolated(false);
      await dialog.getByText('With run config fast.').waitFor();
      await dialog.getByLabel('Name of the new run').fill('hazel-maple');
      expect((await startRun()).isolate).to.equal(true);
      await dialog.waitFor({ state: 'detached' });
      expect(await served.active()).to.include({
        run_name: 'hazel-maple',
        config_name: 'fast',
      });
      await served.post('/api/configs/select', { name: 'default' });
      // The config of the next run says that it is that.
      await button('next run: default').waitFor();
    });

    it('shows what the settings say of processes', async () => {
      served.project.write('assay.yaml', `${file}isolate: true\n`);
      await open('/');
      await page.reload();
      await isolated(true);
      expect((await startRun()).isolate).to.equal(false);
      served.project.write('assay.yaml', file);
      const third = ids.pop();
      await served.delete(`/api/runs/${third}`);
    });
  });

  describe('a run', () => {
    it('has one pass rate and its config: in its header, in the list of runs, in lists to choose from, and in compare', async () => {
      await open(`/?run=${ids[1]}`);
      const summary = page.getByRole('region', { name: /^Summary/ });
      const hint = '6 of 9 passed; counted are results with a verdict, and errors';
      await summary.getByTitle(hint).waitFor();
      expect(await summary.innerText()).to.match(/^66\.7 %\s*passed/);
      expect(await summary.getByTitle(hint).innerText()).to.equal('66.7 %');
      const picker = page.getByTitle('Run', { exact: true });
      expect(await picker.innerText()).to.match(/^hazel-maple\s+config fast/);
      await picker.click();
      const option = page.getByRole('option', { name: /hazel-maple/ });
      expect(await option.innerText()).to.contain('config fast');
      expect(await option.innerText()).to.match(/66\.7 %$/);
      expect(await option.getByTitle(hint).count()).to.equal(1);
      await goWithin(page, `/compare?run=${ids[0]}`);
      const choice = page.getByRole('option', { name: /hazel-maple/ });
      expect(await choice.innerText()).to.match(/66\.7 %$/);
      await choice.click();
      const runs = page.getByRole('group', { name: 'Runs' });
      await runs.getByText('66.7 %').first().waitFor();
      expect(await runs.getByText('66.7 %').count()).to.equal(2);
      for (const config of ['default', 'fast']) await runs.getByText(`config ${config}`).waitFor();
    });
  });

  describe('addresses of nothing', () => {
    const isInRun = (name: string) =>
      page
        .getByRole('heading', { name: new RegExp(`^Run ${name} `) })
        .waitFor({ state: 'attached' });
    const options = () => page.getByRole('listbox', { name: 'Runs' }).getByRole('option');

    it('are a page with the way back and the way on', async () => {
      await open(`/?run=${ids[1]}`);
      await page.getByRole('grid', { name: 'Results' }).waitFor();
      const before = page.url();
      const answer = await page.goto(`${served.url}/runs/abc/scoers`);
      expect(answer?.status()).to.equal(404);
      await page.getByRole('heading', { name: 'No page at /runs/abc/scoers' }).waitFor();
      await page.keyboard.press('Escape');
      await page.waitForURL(before);
      await goWithin(page, `/runs/${ids[1]}/scoers`);
      await page.getByRole('link', { name: 'Open hazel-maple' }).click();
      await isInRun('hazel-maple');
      await goWithin(page, '/nowhere');
      await page.getByRole('link', { name: 'Open the dashboard' }).click();
      await page.getByRole('grid', { name: 'Results' }).waitFor();
    });

    it('offer runs with a name like that of the address, from every session, else the newest', async () => {
      const other = await ServedProject.start(served.project, { session: 'newer' });
      await other.post('/api/runs/new?wait=true', { run_name: 'calm-heron' });
      await other.close();
      await open('/?run=brisk-oter');
      await page.getByRole('heading', { name: 'No run brisk-oter' }).waitFor();
      const near = (name: string) => options().filter({ hasText: name });
      await near('brisk-otter').waitFor();
      expect(await options().count()).to.equal(1);
      await near('brisk-otter').click();
      await isInRun('brisk-otter');
      await goWithin(page, '/?run=000000000000');
      await near('hazel-maple').waitFor();
      expect(await options().count()).to.equal(2);
      // The same for a result and for a comparison.
      await goWithin(page, '/runs/calm-herom/results/1');
      await page.getByRole('heading', { name: 'No run calm-herom' }).waitFor();
      await near('calm-heron').click();
      await isInRun('calm-heron');
      await goWithin(page, `/compare?run=${ids[1]}&run=brisk-oter`);
      await page.getByRole('heading', { name: 'No run brisk-oter' }).waitFor();
      await near('brisk-otter').click();
      await page.getByRole('treegrid', { name: 'Pairs' }).waitFor();
    });

    it('are said while a run is read slowly', async () => {
      page = await kept.blank();
      const go = await holdBack(page, '**/rows?**');
      await page.goto(served.url);
      await page
        .locator('[aria-busy=true]')
        .getByRole('status')
        .filter({ hasText: /^Reading \d+ results of/ })
        .waitFor();
      go();
      await page.getByRole('grid', { name: 'Results' }).waitFor();
      expect(await page.getByText(/^Reading/).count()).to.equal(0);
    });
  });
});
