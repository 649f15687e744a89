import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { ServedProject } from '../helpers/served-project.js';
import { keepPage } from './kept-page.js';
import { eventually, holdBack, rowNames } from './screen.js';
import { serveMany } from './table-project.js';

/** What an element of the page answers; the types of tests know no page. */
interface Scrolled {
  readonly scrollWidth: number;
  readonly clientWidth: number;
}

describe('the filters of the dashboard', () => {
  let served: ServedProject;
  const kept = keepPage(() => served.url);
  const open = async (path = '/'): Promise<Page> => {
    const page = await kept.open(path);
    await page.getByRole('navigation', { name: 'Filters' }).waitFor();
    return page;
  };
  const left = (page: Page) =>
    page.getByRole('navigation', { name: 'Filters' }).getByRole('status');
  const query = (page: Page, name: string) => new URL(page.url()).searchParams.getAll(name);

  before(async function () {
    this.timeout(120_000);
    served = await serveMany();
  });

  it('include, exclude and let be a value, with the number it would leave', async () => {
    const page = await open();
    const pill = page.locator('nav [data-filter="dataset=tone"]');
    expect(await pill.innerText()).to.match(/tone\s*40/);
    await pill.click();
    await left(page).getByText('40', { exact: true }).waitFor();
    expect(query(page, 'dataset')).to.deep.equal(['tone']);
    await pill.click();
    await left(page).getByText('170', { exact: true }).waitFor();
    expect(query(page, 'dataset')).to.deep.equal(['!tone']);
    await pill.click();
    await left(page).getByText('210', { exact: true }).waitFor();
    expect(query(page, 'dataset')).to.deep.equal([]);
  });

  it('fit into their line, at any width', async () => {
    const page = await open('/?dataset=orders');
    const line = page.getByRole('navigation', { name: 'Filters' });
    for (const width of [1440, 900, 700]) {
      await page.setViewportSize({ width, height: 800 });
      await eventually(
        () =>
          line.evaluate((at) => {
            const { scrollWidth, clientWidth } = at as unknown as Scrolled;
            return scrollWidth - clientWidth;
          }),
        (beyond) => beyond === 0,
        `a line that does not scroll at ${width}`,
      );
    }
  });

  it('say that a search goes on when it takes a while', async () => {
    const page = await open();
    const answer = await holdBack(page, /\/rows\?.*search=/);
    await page.getByRole('textbox', { name: 'Search' }).fill('order');
    await left(page).getByText('Searching 210 results …').waitFor();
    answer();
    await left(page).getByText('Searching').waitFor({ state: 'detached' });
    await left(page).getByText('of 210').waitFor();
  });

  it('survive a reload and the way back', async () => {
    const page = await open();
    await page.locator('nav [data-filter="status=failed"]').click();
    await left(page).getByText('42', { exact: true }).waitFor();
    await page.reload();
    await left(page).getByText('42', { exact: true }).waitFor();
    await page.goBack();
    await left(page).getByText('210', { exact: true }).waitFor();
  });

  it('are all behind f: scores, bounds, what there is, trials, latency', async () => {
    const page = await open();
    await page.keyboard.press('f');
    const panel = page.getByRole('dialog', { name: 'Filters' });
    await panel.locator('[data-filter="score=exact:failed"]').click();
    await left(page).getByText('40', { exact: true }).waitFor();
    await panel.getByRole('textbox', { name: 'size at most' }).fill('0.5');
    await page.keyboard.press('Enter');
    expect(query(page, 'score')).to.deep.equal(['exact:failed', 'size:<=0.5']);
    await panel.getByRole('button', { name: 'Clear', exact: true }).click();
    await panel.locator('[data-filter="has=error"]').click();
    await left(page).getByText('1', { exact: true }).waitFor();
    await panel.getByRole('button', { name: 'Clear', exact: true }).click();
    await panel.locator('[data-filter="flaky=true"]').click();
    await left(page).getByText('5', { exact: true }).waitFor();
    await panel.getByRole('switch', { name: 'one row for all trials' }).click();
    expect(query(page, 'fold')).to.deep.equal(['none']);
    await page.getByRole('link', { name: 'cancel[twice]~5' }).waitFor();
    await panel.getByRole('textbox', { name: 'Latency from' }).fill('100');
    await page.keyboard.press('Enter');
    await left(page).getByText('0', { exact: true }).waitFor();
    expect(query(page, 'latency')).to.deep.equal(['100..']);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
  });

  it('say which of them empties the table, and drop it', async () => {
    const page = await open('/?dataset=tone&status=failed');
    await page.getByRole('heading', { name: 'No result matches' }).waitFor();
    await page.getByText('Without “failed” 40 match.').waitFor();
    await page.getByRole('button', { name: 'Drop “failed”' }).click();
    await left(page).getByText('40', { exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await left(page).getByText('210', { exact: true }).waitFor();
  });

  it('and the order can be had on a phone, too', async () => {
    const page = await open('/?dataset=orders');
    await page.setViewportSize({ width: 400, height: 900 });
    await page.getByRole('button', { name: 'Filters' }).click();
    const panel = page.getByRole('dialog', { name: 'Filters' });
    await panel.getByRole('button', { name: 'exact', exact: true }).click();
    await page.waitForURL(/sort=score/);
    await panel.getByRole('button', { name: 'exact ascending' }).waitFor();
    await page.keyboard.press('Escape');
    await eventually(
      () => rowNames(page),
      ([first]) => first === 'answer[case_1]',
      'failures first',
    );
  });
});
