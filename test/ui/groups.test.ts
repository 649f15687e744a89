import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type OpenedPage, openPage } from '../helpers/browser.js';
import type { ServedProject } from '../helpers/served-project.js';
import { eventually, goWithin, rowOf } from './screen.js';
import { serveMany } from './table-project.js';

/** The lines of groups, from top to bottom. */
const groupLines = (page: Page) =>
  page.evaluate<string[]>(`
    [...document.querySelectorAll('[data-line=group]')]
      .sort((a, b) => a.ariaRowIndex - b.ariaRowIndex)
      .map((line) => line.querySelector('[role=rowheader]').innerText.replace(/\\s+/g, ' '))`);

describe('groups of the table', () => {
  let served: ServedProject;
  let opened: OpenedPage;
  let page: Page;

  const group = (name: string) =>
    page.locator('[data-line=group]').filter({ has: page.getByText(name, { exact: true }) });
  const expanded = (name: string) => group(name).getAttribute('aria-expanded');
  const focused = () => page.locator('[role=row]:focus [role=rowheader]').innerText();

  before(async function () {
    this.timeout(120_000);
    served = await serveMany();
    opened = await openPage();
    page = opened.page;
    await page.goto(served.url);
  });
  beforeEach(async () => {
    await goWithin(page, '/nowhere');
    await page.getByRole('heading', { name: /^No page at/ }).waitFor();
    await goWithin(page, '/?by=dataset');
    await group('orders').waitFor();
  });
  after(() => {
    expect(opened.faults).to.deep.equal([]);
  });

  it('come from the menu, with their figures, the worst first', async () => {
    await page.getByRole('button', { name: 'group dataset' }).click();
    await page.getByRole('menuitemradio', { name: 'none' }).click();
    await page.getByRole('grid', { name: 'Results' }).waitFor();
    await page.getByRole('button', { name: 'group none' }).click();
    await page.getByRole('menuitemradio', { name: 'dataset' }).click();
    await page.getByRole('treegrid', { name: 'Results by dataset' }).waitFor();
    expect(page.url()).to.contain('by=dataset');
    await group('orders').waitFor();
    expect(await groupLines(page)).to.include('orders 160');
    expect(await group('orders').innerText()).to.match(/74\.4\s+.*67\.1–80\.5/s);
    expect(await rowOf(page, 'answer[case_3]').getAttribute('aria-level')).to.equal('2');
    const filters = page.getByRole('navigation', { name: 'Filters' });
    expect(await filters.innerText()).to.contain('in 3 groups');
  });

  it('fold and open by click, key and all at once, and stay so after a reload', async () => {
    await group('orders').click();
    expect(await expanded('orders')).to.equal('false');
    expect(page.url()).to.contain('folded=orders');
    expect(await groupLines(page)).to.have.length(3);
    await page.reload();
    await group('orders').waitFor();
    expect(await expanded('orders')).to.equal('false');
    await page.keyboard.press('j');
    expect(await focused()).to.contain('orders');
    await page.keyboard.press('ArrowRight');
    expect(await expanded('orders')).to.equal('true');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).to.contain('answer[case_3]');
    await page.keyboard.press('ArrowLeft');
    expect(await focused()).to.contain('orders');
    await page.keyboard.press('Shift+ArrowLeft');
    expect(await expanded('tone')).to.equal('false');
    await page.getByRole('button', { name: 'open all' }).click();
    expect(await expanded('orders')).to.equal('true');
  });

  it('are selected as a whole, and in part when some of their rows are', async () => {
    await page.keyboard.press('j');
    await page.keyboard.press('Home');
    await page.keyboard.press('x');
    await page.getByText('160 selected', { exact: true }).waitFor();
    const box = group('orders').getByRole('checkbox');
    await eventually(
      () => box.getAttribute('aria-checked'),
      (is) => is === 'true',
      'box of group',
    );
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByText('159 selected', { exact: true }).waitFor();
    expect(await box.getAttribute('aria-checked')).to.equal('mixed');
    await page.keyboard.press('Escape');
  });

  it('are sorted by the column whose head is clicked, and so are their rows', async () => {
    await page.getByRole('button', { name: 'Passed %' }).click();
    await eventually(
      () => groupLines(page),
      ([first]) => first?.startsWith('tone') === true,
      'best first',
    );
    expect(page.url()).to.contain('sort=status&order=desc');
  });

  it('lead through their rows on the page of a result', async () => {
    await rowOf(page, 'answer[case_3]').getByRole('link').click();
    await page.getByText(/^1 of 210/).waitFor();
    await page.keyboard.press('Escape');
    await group('orders').waitFor();
  });

  it('show the difference from the previous run, or why there is none', async () => {
    await served.post('/api/runs/new?wait=true', { run_name: 'second' });
    await page.goto(`${served.url}/?by=dataset`);
    const change = (name: string) => group(name).locator('[title^="Since "]');
    await change('orders').waitFor();
    // The same code: no case has changed.
    expect(await change('orders').innerText()).to.match(/^0\.0\s+since /);
    expect(await change('orders').getAttribute('title')).to.match(
      /, all results: 74\.4 → 74\.4, 0\.0 points, .*over 160 pairs, p 1: identical$/,
    );
    await goWithin(page, '/?by=output');
    // What came of the results decides which group they are in: neither a rate nor a difference says anything.
    await page.locator('[role=row] [title$="these are counts."]').first().waitFor();
    expect(await page.locator('[title^="Since "]').count()).to.equal(0);
    await goWithin(page, '/?by=dataset');
    await group('orders').waitFor();
  });
});
