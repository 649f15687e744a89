import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import type { PageOptions } from '../helpers/browser.js';
import type { ServedProject } from '../helpers/served-project.js';
import { keepPage } from './kept-page.js';
import { eventually, scrolledBy, wheelDownTo } from './screen.js';
import { serveMany } from './table-project.js';

describe('the table of the dashboard', () => {
  let served: ServedProject;
  const kept = keepPage(() => served.url);
  const open = async (path = '/', options?: PageOptions): Promise<Page> => {
    const page = await kept.open(path, options);
    await page.getByRole('grid', { name: 'Results' }).waitFor();
    return page;
  };
  /** The same, without the place and the columns of the test before. */
  const load = async (): Promise<Page> => {
    const page = await kept.load('/');
    await page.getByRole('grid', { name: 'Results' }).waitFor();
    return page;
  };
  const row = (page: Page, name: string): Locator =>
    page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
  const focused = (page: Page) => page.locator('[role=row]:focus [role=rowheader] a').textContent();
  const selected = (page: Page) => page.getByText(/^[\d,]+ selected$/).innerText();

  before(async function () {
    this.timeout(120_000);
    served = await serveMany();
  });

  it('has no more rows in the page than are in sight, and leads the focus and a range through all', async () => {
    const page = await open();
    const first = row(page, 'answer[case_0]');
    await first.waitFor();
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).to.equal('203');
    expect(await page.locator('[role=row][data-line]').count()).to.be.lessThan(70);
    for (const key of ['j', 'j', 'ArrowDown', 'ArrowDown', 'k']) await page.keyboard.press(key);
    expect(await focused(page)).to.equal('answer[case_2]');
    await page.keyboard.press('Home');
    expect(await focused(page)).to.equal('answer[case_0]');
    expect(await page.locator('[role=row][tabindex="0"]').count()).to.equal(1);
    // A range that is longer than what has been read; folded trials count one by one.
    await page.keyboard.press('x');
    await page.keyboard.press('Shift+End');
    await page.getByText('210 selected', { exact: true }).first().waitFor();
    await row(page, 'cancel[twice]').waitFor();
    expect(await focused(page)).to.equal('cancel[twice]');
    await page.getByRole('checkbox', { name: 'Select none' }).click();
    // The next one begins at the top.
    for (const key of ['j', 'Home']) await page.keyboard.press(key);
    await first.waitFor();
  });

  it('shows errors, failing scores first, and values', async () => {
    const page = await open('/?dataset=orders');
    expect(await row(page, 'answer[case_3]').innerText()).to.contain('TypeError no such order');
    expect(await row(page, 'answer[case_1]').locator('[data-cell=scores]').innerText()).to.match(
      /^exact/,
    );
    expect(await row(page, 'answer[case_1]').getByRole('img', { name: 'failed' }).count()).to.equal(
      2,
    );
  });

  it('selects with x, Shift and arrows, Shift and click, and all that match', async () => {
    const page = await open('/?dataset=orders');
    for (const key of ['j', 'Home', 'x']) await page.keyboard.press(key);
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    expect(await selected(page)).to.equal('3 selected');
    await page.keyboard.press('Shift+ArrowUp');
    expect(await selected(page)).to.equal('2 selected');
    await row(page, 'answer[case_9]').click({ modifiers: ['Shift'] });
    await page.getByText('10 selected', { exact: true }).first().waitFor();
    await page.getByRole('checkbox', { name: 'Select all that match' }).click();
    await page.getByText('160 selected', { exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Select none' }).click();
    expect(await page.getByText(/selected$/).count()).to.equal(0);
  });

  it('opens a row in place and closes it again', async () => {
    const page = await open('/?status=failed');
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowRight');
    await page.getByText('Wanted another answer.').waitFor();
    const detail = page.getByRole('row').filter({ hasText: 'Wanted another answer.' });
    expect(await detail.innerText()).to.contain('many.eval.ts::answer[case_1]');
    expect(await detail.innerText()).to.contain('line two');
    await page.keyboard.press('j');
    expect(await focused(page)).to.equal('answer[case_5]');
    await page.keyboard.press('k');
    await page.keyboard.press('Space');
    expect(await page.getByText('Wanted another answer.').count()).to.equal(0);
  });

  it('folds trials into one row that says so and opens', async () => {
    const page = await open('/?dataset=trials');
    const twice = row(page, 'cancel[twice]');
    expect(await twice.innerText()).to.contain('3/5 flaky');
    expect(await row(page, 'cancel[once]').innerText()).to.contain('5/5');
    await twice.getByRole('button', { name: 'Open trials' }).click();
    await row(page, '~5').waitFor();
    expect(await row(page, '~4').innerText()).to.contain('Cancelled 4');
    await twice.getByRole('checkbox').click();
    expect(await selected(page)).to.equal('5 selected');
    await row(page, '~2').getByRole('checkbox').click();
    expect(await twice.getByRole('checkbox').getAttribute('aria-checked')).to.equal('mixed');
    await twice.getByRole('button', { name: 'Close trials' }).click();
    expect(await row(page, '~5').count()).to.equal(0);
  });

  it('sorts by a click on the head, the other way, and not at all', async () => {
    const page = await open();
    const head = page.getByRole('columnheader', { name: 'Evaluation' });
    await head.getByRole('button', { name: 'Evaluation' }).click();
    await page.waitForURL(/sort=function/);
    expect(await head.getAttribute('aria-sort')).to.equal('ascending');
    await head.getByRole('button', { name: 'Evaluation' }).click();
    await page.waitForURL(/order=desc/);
    await row(page, 'tone[case_39]').waitFor();
    await head.getByRole('button', { name: 'Evaluation' }).click();
    await row(page, 'answer[case_0]').waitFor();
    expect(new URL(page.url()).searchParams.has('sort')).to.equal(false);
    await page.getByRole('button', { name: 'Scores' }).click();
    await page.getByRole('menuitem', { name: 'size' }).click();
    await page.waitForURL(/sort=score%3Asize/);
  });

  it('opens a result with the filter in its address, and leads back to the same place', async () => {
    const page = await open('/?dataset=orders');
    await row(page, 'answer[case_0]').waitFor();
    await page.mouse.move(700, 700);
    const wanted = row(page, 'answer[case_70]');
    await wheelDownTo(page, wanted);
    const top = await scrolledBy(page);
    const isBack = () =>
      eventually(
        () => scrolledBy(page),
        (at) => Math.abs(at - top) <= 2,
        `scrolled to ${top}`,
      );
    await wanted.click({ position: { x: 600, y: 14 } });
    await page.waitForURL(/\/runs\/[^/]+\/results\/70\?.*dataset=orders/);
    await page.getByText('71 of 160 matching').waitFor();
    expect(await scrolledBy(page)).to.equal(0);
    await page.goBack();
    await wanted.waitFor();
    await isBack();
    expect(await focused(page)).to.equal('answer[case_70]');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'answer[case_70]' }).waitFor();
    await page.keyboard.press('Escape');
    await wanted.waitFor();
    await isBack();
  });

  it('keeps hidden, moved and widened columns for the next time', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Reference' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Input', exact: true }).focus();
    await page.keyboard.press('Shift+ArrowRight');
    const names = () => page.getByRole('columnheader').allInnerTexts();
    const now = ['Evaluation', 'Output', 'Input', 'Scores', 'Latency s'];
    expect((await names()).filter((name) => now.includes(name))).to.deep.equal(now);
    const head = page.getByRole('columnheader', { name: 'Input' });
    const before = (await head.boundingBox())?.width ?? 0;
    await page.keyboard.press('Control+ArrowRight');
    const after = (await head.boundingBox())?.width ?? 0;
    expect(after - before).to.be.closeTo(16, 1);
    await page.reload();
    await page.getByRole('grid').waitFor();
    expect((await names()).filter((name) => now.includes(name))).to.deep.equal(now);
    expect((await head.boundingBox())?.width).to.be.closeTo(after, 1);
  });

  it('keeps what is open when a column is added, or has no room any more', async () => {
    const page = await load();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowRight');
    const notes = page.getByText('Wanted another answer.');
    await notes.waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitem', { name: 'Scores and values…' }).click();
    await page.getByRole('checkbox', { name: 'reference.n' }).check();
    await page.keyboard.press('Escape');
    const cell = row(page, 'answer[case_2]').locator('[data-cell="field:reference.n"]');
    await cell.getByText('2', { exact: true }).waitFor();
    expect(await notes.isVisible()).to.equal(true);
    await page.setViewportSize({ width: 640, height: 900 });
    await cell.waitFor({ state: 'detached' });
    expect(await notes.isVisible()).to.equal(true);
  });
});
