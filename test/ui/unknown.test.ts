import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { ServedProject } from '../helpers/served-project.js';
import { keepPage } from './kept-page.js';
import { serveOrders } from './result-project.js';
import { goWithin, holdBack } from './screen.js';

describe('addresses of nothing', function () {
  this.timeout(120_000);
  let served: ServedProject;
  before(async () => {
    served = await serveOrders();
    await served.post('/api/runs/new?wait=true', { run_name: 'brisk-otter' });
    await served.post('/api/runs/new?wait=true', { run_name: 'hazel-maple' });
  });
  const kept = keepPage(() => served.url);
  let page: Page;
  const isInRun = (name: string) =>
    page.getByRole('heading', { name: new RegExp(`^Run ${name} `) }).waitFor({ state: 'attached' });

  it('are a page with the way back and the way on', async () => {
    page = await kept.open('/');
    await page.getByRole('grid', { name: 'Results' }).waitFor();
    const before = page.url();
    const answer = await page.goto(`${served.url}/runs/abc/scoers`);
    expect(answer?.status()).to.equal(404);
    await page.getByRole('heading', { name: 'No page at /runs/abc/scoers' }).waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL(before);
    const id = await served.activeId();
    await goWithin(page, `/runs/${id}/scoers`);
    await page.getByRole('link', { name: 'Open hazel-maple' }).click();
    await isInRun('hazel-maple');
    await goWithin(page, '/nowhere');
    await page.getByRole('link', { name: 'Open the dashboard' }).click();
    await page.getByRole('grid', { name: 'Results' }).waitFor();
  });

  it('offer runs with a name like that of the address, else the newest', async () => {
    page = await kept.open('/?run=brisk-oter');
    await page.getByRole('heading', { name: 'No run brisk-oter' }).waitFor();
    const options = page.getByRole('listbox', { name: 'Runs' }).getByRole('option');
    const near = options.filter({ hasText: 'brisk-otter' });
    await near.waitFor();
    expect(await options.count()).to.equal(1);
    await near.click();
    await isInRun('brisk-otter');
    await goWithin(page, '/?run=000000000000');
    await options.filter({ hasText: 'hazel-maple' }).waitFor();
    expect(await options.count()).to.equal(2);
  });

  it('offer the same for a result and for a comparison, from every session', async () => {
    const here = (await served.get('/api/sessions/default/runs')).body.runs[0].run_id;
    const other = await ServedProject.start(served.project, { session: 'newer' });
    await other.post('/api/runs/new?wait=true', { run_name: 'calm-heron' });
    await other.close();
    const near = (name: string) =>
      page.getByRole('listbox', { name: 'Runs' }).getByRole('option', { name }).click();
    page = await kept.open('/?run=brisk-oter');
    await near('brisk-otter');
    await isInRun('brisk-otter');
    await goWithin(page, '/runs/calm-herom/results/1');
    await page.getByRole('heading', { name: 'No run calm-herom' }).waitFor();
    await near('calm-heron');
    await isInRun('calm-heron');
    await goWithin(page, `/compare?run=${here}&run=brisk-oter`);
    await page.getByRole('heading', { name: 'No run brisk-oter' }).waitFor();
    await near('brisk-otter');
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
