import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { builtUi, openPage } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';
import { rowOf } from './screen.js';
import { serveMany } from './table-project.js';

describe('what the dashboard loads', () => {
  it('is at first 150 kB of compressed scripts at most', () => {
    const page = readFileSync(join(builtUi, 'index.html'), 'utf8');
    const scripts = [...page.matchAll(/(?:src|href)="\/([^"]*\.js)"/g)].map(([, path]) => path);
    expect(scripts.length).to.be.above(1);
    const bytes = scripts.reduce(
      (sum, path) => sum + statSync(join(builtUi, `${path}.br`)).size,
      0,
    );
    expect(bytes).to.be.at.most(150_000);
  });
});

// Each test begins where the one before has ended.
describe('a page without a connection', function () {
  this.timeout(120_000);
  let served: ServedProject;
  let page: Page;
  let faults: readonly string[];
  let search: string;
  const button = (name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' });
  const states = async (parts: readonly Locator[]) =>
    await Promise.all(parts.map((part) => part.isDisabled()));
  const annotation = () => page.getByRole('textbox', { name: 'Annotation' });

  before(async () => {
    served = await serveMany();
    ({ page, faults } = await openPage());
    const untilLoaded = Promise.all(
      [/overlay-parts.*\.js/, /filter-panel.*\.js/].map(async (part) =>
        (await page.waitForResponse(part)).finished(),
      ),
    );
    await page.goto(served.url);
    // The dashboard loads them when it has nothing else to do.
    await untilLoaded;
    await rowOf(page, 'answer[case_1]').getByRole('link').click();
    await button('Edit annotation').waitFor();
    await page.keyboard.press('Escape');
  });
  afterEach(() => {
    expect(faults).to.deep.equal([]);
  });

  it('shows what it has, and disables what needs the server in its place', async () => {
    await rowOf(page, 'answer[case_1]').getByRole('checkbox').click();
    await page.getByRole('toolbar', { name: 'Selected results' }).waitFor();
    const needing = [
      button('Rename run'),
      button(/^Regrade/),
      button(/^Rerun/),
      button('More ways to run'),
      button(/^Select all/),
    ].map((part) => part.first());
    const free = [button(/^Annotate/), button('Set score'), button('Columns'), button(/^Filter f/)];
    const places = () => Promise.all(needing.map(async (part) => (await part.boundingBox())?.x));
    expect(await states(needing)).not.to.include(true);
    const before = await places();
    const items = page.getByRole('menuitem');
    // Loaded as long as the server is there.
    await button('Export').click();
    await items.first().waitFor();
    await page.keyboard.press('Escape');
    await items.first().waitFor({ state: 'detached' });
    await needing[0]?.focus();
    ({ search } = new URL(page.url()));
    await served.close();
    await page.getByText(/^No connection for \d+ s\. What you see may be old\./).waitFor();
    await rowOf(page, 'answer[case_1]').getByText('Question 1').waitFor();
    expect(await states(needing)).not.to.include(false);
    expect(await states(free)).not.to.include(true);
    expect(await places()).to.deep.equal(before);
    // What has the focus keeps it.
    expect(await page.evaluate('document.activeElement.ariaLabel')).to.equal('Rename run');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('dialog').count()).to.equal(0);
    await button('Export').click();
    const off = items.and(page.locator('[aria-disabled=true]'));
    await items.first().waitFor();
    expect(await off.count()).to.equal(5);
    // A link to the view is copied without the server.
    expect(await items.count()).to.equal(6);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  });

  it('has menus and filters that nobody has opened yet', async () => {
    await button('Columns').click();
    await page.getByRole('menuitemcheckbox', { name: 'Input' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.keyboard.press('f');
    const filters = page.getByRole('dialog', { name: 'Filters' });
    await filters.getByText('dataset').waitFor();
    await page.keyboard.press('Escape');
    await filters.waitFor({ state: 'detached' });
    await page.keyboard.press('r');
    await page.getByRole('status').getByText('The server does not answer.').waitFor();
  });

  it('disables the actions of a result, and keeps what is written', async () => {
    await rowOf(page, 'answer[case_1]').getByRole('link').click();
    await button('Edit annotation').waitFor();
    const actions = page.getByRole('banner').getByRole('button', { name: /^(Regrade|Rerun)$/ });
    expect(await states(await actions.all())).to.deep.equal([true, true]);
    await button('Edit annotation').click();
    await annotation().fill('looked at');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Your text is kept: save it again').waitFor();
    expect(await annotation().inputValue()).to.equal('looked at');
  });

  it('reads anew when the server is back', async () => {
    const { project, url } = served;
    // At a free port of its own; the next one with a web UI is at the address of the first.
    const meanwhile = await ServedProject.start(project);
    await meanwhile.post('/api/runs/new?wait=true', { run_name: 'while it was gone' });
    await meanwhile.close();
    served = await ServedProject.start(project, { ui: builtUi });
    expect(served.url).to.equal(url);
    const again = page.getByText('Connected again.');
    // The page tries by itself as well, and may be quicker.
    await Promise.any([button('Try now').click(), again.waitFor()]);
    await again.waitFor();
    await annotation().press('Control+Enter');
    await annotation().waitFor({ state: 'detached' });
    await page.getByText('looked at', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await rowOf(page, 'answer[case_1]').waitFor();
    expect(new URL(page.url()).search).to.equal(search);
    await page.getByTitle('Run', { exact: true }).click();
    await page.getByRole('option', { name: /while it was gone/ }).click();
    await page
      .getByRole('heading', { level: 1, name: /while it was gone/ })
      .waitFor({ state: 'attached' });
  });
});
