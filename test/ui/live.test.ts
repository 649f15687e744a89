import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { builtUi, closePages, type OpenedPage, openPage } from '../helpers/browser.js';
import { closeServers, type ServedProject } from '../helpers/served-project.js';
import { calls, openGate, serveGated, until } from '../server/states/gated-project.js';
import { part } from './result-project.js';
import { drawnAnew, eventually, goWithin, rowOf, untilShown } from './screen.js';

const cases = ['a', 'b', 'c', 'd', 'e', 'f'];

describe('a run in progress, on screen', function () {
  this.timeout(120_000);
  let served: ServedProject;
  let opened: OpenedPage;
  let page: Page;

  const row = (id: string) => rowOf(page, `gated[${id}]`);
  const icon = (id: string, name: string) =>
    row(id).getByRole('img', { name, exact: true }).first();
  const button = (name: string | RegExp) =>
    page.getByRole('banner').getByRole('button', { name, exact: true });
  const start = async () => {
    await button('Run 6').click();
    for (const id of ['a', 'b']) await icon(id, 'running').waitFor();
  };

  beforeEach(async () => {
    served = await serveGated({ cases, ui: builtUi });
    opened = await openPage();
    page = opened.page;
    await page.goto(served.url);
    await row('a').waitFor();
  });
  afterEach(async () => {
    await closePages();
    await closeServers();
    expect(opened.faults).to.deep.equal([]);
  });

  it('is paused, resumed and stopped', async () => {
    await start();
    await button('Pause').click();
    await page.getByText('paused, 2 finishing').waitFor();
    openGate(served, 'a', 'b');
    await row('b').getByText('one', { exact: true }).waitFor();
    await page.getByText('paused', { exact: true }).waitFor();
    await page.getByText('2 / 6').waitFor();
    expect(calls(served)).to.have.members(['a', 'b']);
    await button('Resume').click();
    for (const id of ['c', 'd']) await icon(id, 'running').waitFor();
    openGate(served, 'c');
    await row('c').getByText('one', { exact: true }).waitFor();
    await icon('e', 'running').waitFor();
    await button('Stop').click();
    for (const id of ['d', 'e', 'f']) await row(id).getByText('cancelled by stop').waitFor();
    await button('Run the remaining 3').waitFor();
    await page.getByRole('button', { name: '3 passed' }).waitFor();
    const run = await served.active();
    expect(run).to.include({ state: 'finished', total_passed: 3 });
  });

  it('is still there after a reload, and after the way to a result and back', async () => {
    await start();
    openGate(served, 'a');
    await row('a').getByText('one', { exact: true }).waitFor();
    await page.reload();
    await icon('b', 'running').waitFor();
    await page.getByText('1 / 6').waitFor();
    await button('Stop').waitFor();
    await row('b').click({ position: { x: 500, y: 14 } });
    await part(page, 'Output').getByText('It is running.').waitFor();
    openGate(served, 'b');
    await part(page, 'Output').getByText('one', { exact: true }).waitFor();
    await page.goBack();
    await row('b').getByText('one', { exact: true }).waitFor();
    openGate(served);
    await button('Rerun').waitFor();
    await row('f').getByText('one', { exact: true }).waitFor();

    // It has an address that leads to it from a fresh page: the run, a filter, a result.
    const { run_id } = await served.active();
    await page.goto(`${served.url}/runs/${run_id}/results/3?search=gated%5Bd`);
    await page.getByRole('heading', { level: 1, name: 'gated[d]' }).waitFor();
    await page.getByText('1 of 1 matching').waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL(`${served.url}/?run=${run_id}&search=gated%5Bd`);
    await rowOf(page, 'gated[d]').waitFor();
    await goWithin(page, '/runs/latest/results/2');
    await page.getByRole('heading', { level: 1, name: 'gated[c]' }).waitFor();
    await page.waitForURL(`${served.url}/runs/${run_id}/results/2`);
    await page.getByText('3 of 6 results').waitFor();
    await page.goto(`${served.url}/?run=latest&search=gated%5Bd`);
    await page.waitForURL(`${served.url}/?run=${run_id}&search=gated%5Bd`);
    await untilShown(page, '1 of 6');
    await goWithin(page, '/compare?run=latest');
    await page.waitForURL(`${served.url}/compare?run=${run_id}`);
    await page.getByRole('heading', { name: /^Compare .* with …$/ }).waitFor();
  });

  it('is begun again by r before the page has heard that it has ended; while it goes on, r says so', async () => {
    // Nothing is told to this page.
    await page.route('**/api/events', () => {});
    const { run_id } = (await served.post('/api/runs/rerun', {})).body;
    const refused = page.getByText(/ is in progress, so this has to wait\./);
    await page.reload();
    for (const [n, path] of ['/', `/runs/${run_id}/results/0`].entries()) {
      await goWithin(page, path);
      await button(n === 0 ? 'Stop' : 'Rerun').waitFor();
      await page.keyboard.press('r');
      await refused.waitFor();
    }
    openGate(served);
    await served.until(({ state }) => state === 'finished');
    await page.keyboard.press('r');
    await until(() => calls(served).length === cases.length + 1, 'one that runs again');
  });

  it('has ended when it has, whatever an answer says that comes late', async () => {
    await start();
    openGate(served, 'a');
    await row('a').getByText('one', { exact: true }).waitFor();
    // What the server says while the run goes on comes when it has ended.
    let letGo = () => {};
    const ended = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const late: Promise<unknown>[] = [];
    const address = /\/api\/runs\/[0-9a-f]{12}(\/data)?$/;
    await page.route(address, async (route) => {
      const response = await route.fetch();
      if ((await response.json()).state !== 'running') return route.fulfill({ response });
      const answer = async () => {
        await ended;
        await route.fulfill({ response });
        await (await route.request().response())?.finished();
      };
      late.push(answer());
    });
    await button('Pause').click();
    await button('Resume').click();
    await eventually(
      async () => late.length,
      (count) => count > 0,
      'a question about the run',
    );
    openGate(served);
    await served.until(({ state }) => state === 'finished');
    await button('Rerun').waitFor();
    letGo();
    await Promise.all(late);
    await drawnAnew(page);
    expect(await button('Rerun').isVisible()).to.equal(true);
  });

  it('asks before it stops when more than a minute of work would be lost, and offers the rest afterwards', async () => {
    openGate(served, 'a', 'b', 'c', 'd');
    // A page whose clock goes by what the test says is not kept for others.
    const { page } = await openPage();
    await page.clock.install();
    await page.goto(served.url);
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
    await button('Run 6').click();
    await button('Stop').waitFor();
    await page.getByText('4 / 6').waitFor();
    // Work of moments is not asked about.
    await button('Stop').click();
    await button('Run the remaining 2').waitFor();

    await button('Run the remaining 2').click();
    await button('Stop').waitFor();
    await page.getByText('0 / 2').waitFor();
    await page.clock.fastForward('05:00');
    await button('Stop').click();
    const question = page.getByRole('alertdialog', { name: /^Stop / });
    await question.getByText(/^2 results in progress would be lost, about \d+:\d\d/).waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Stop');
    expect((await served.active()).state).to.equal('running');
    await button('Stop').click();
    await question.getByRole('button', { name: 'Stop run' }).press('Enter');
    await button('Run the remaining 2').waitFor();
    expect(
      await page.evaluate('document.activeElement.closest("[role=group]").ariaLabel'),
    ).to.equal('Controls of the run');
    await button('More ways to run').click();
    const all = page.getByRole('menuitem', { name: 'Rerun all 6' });
    await all.waitFor();
    expect(await all.locator('kbd').count()).to.equal(0);
    await page.keyboard.press('Escape');
    await all.waitFor({ state: 'detached' });
    openGate(served);
    // The key does what the button says.
    await page.keyboard.press('r');
    await button('Rerun').waitFor();
    expect((await served.active()).selected_total).to.equal(2);
    expect((await served.active()).total_passed).to.equal(6);
  });

  it('lets another run wait, with a way to itself', async () => {
    openGate(served);
    const { run_id: first } = await served.runAll();
    served.project.remove('go');
    const { run_id: second } = (await served.post('/api/runs/new', {})).body;
    await goWithin(page, `/?run=${first}`);
    const other = page.getByRole('link', { name: 'Another run is in progress' });
    await other.waitFor();
    expect(await page.getByRole('button', { name: 'Rerun', exact: true }).isDisabled()).to.equal(
      true,
    );
    await other.click();
    await page.waitForURL((url) => url.searchParams.get('run') === second);
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    openGate(served);
    await page.getByRole('button', { name: 'Rerun', exact: true }).waitFor();
    await goWithin(page, `/?run=${first}`);
    await page.getByRole('button', { name: 'Rerun', exact: true, disabled: false }).waitFor();
  });
});
