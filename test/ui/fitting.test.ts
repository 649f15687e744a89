import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { builtUi } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';
import { drawnAnew } from './screen.js';
import { openTable } from './table-project.js';

const evals = `
import { evaluation } from 'assay';
const keys = Array.from({ length: 30 }, (_, n) => 'refund_amount_is_right_in_turn_' + n);
export const spent = evaluation({
  dataset: 'orders', trials: 3, cases: [{ id: 'one', input: 1 }, { id: 'two', input: 2 }],
  target: (ctx) => ctx.trial,
  evaluators: [function tokens({ output }) { return [400, 410, 5000][output - 1]; }],
}, (ctx) => { for (const key of keys) ctx.score(key, ctx.trial !== 2); });
`;

describe('what has little room on the dashboard', function () {
  this.timeout(120_000);
  let page: Page;
  let faults: readonly string[] = [];
  before(async () => {
    const files = { 'spent.eval.ts': evals, 'broken.eval.ts': 'throw new Error("no key");' };
    const served = await ServedProject.start(files, { ui: builtUi });
    await served.runAll();
    await served.post('/api/runs/new?wait=true', {});
    ({ page, faults } = await openTable(served));
  });
  after(() => {
    expect(faults).to.deep.equal([]);
  });
  const edges = async (of: Locator) => {
    const { x = 0, y = 0, width = 0, height = 0 } = (await of.boundingBox()) ?? {};
    return { left: x, top: y, right: x + width, bottom: y + height };
  };

  it('cuts the key of a chip and never its number', async () => {
    for (const width of [1024, 400]) {
      await page.setViewportSize({ width, height: 900 });
      await drawnAnew(page);
      const cell = page.locator('[data-line=row] [data-cell=scores]').first();
      const number = await edges(cell.getByText('2/3', { exact: true }).first());
      expect(number.right).to.be.above(number.left);
      expect(number.right).to.be.at.most((await edges(cell)).right);
    }
  });

  it('drops percentiles as a whole', async () => {
    await page.getByRole('button', { name: /^all / }).click();
    for (const width of [1440, 768, 400]) {
      await page.setViewportSize({ width, height: 800 });
      const part = page.getByText(/^, p95 5,000$/);
      const [text, cell] = [await edges(part), await edges(part.locator('..'))];
      const isWhole = text.left >= cell.left - 0.5 && text.bottom <= cell.bottom + 0.5;
      expect(isWhole || text.top >= cell.bottom - 0.5, `at ${width}`).to.equal(true);
    }
    await page.getByRole('button', { name: /^worst / }).click();
  });

  it('keeps a distance from a banner', async () => {
    for (const width of [1440, 400]) {
      await page.setViewportSize({ width, height: 900 });
      await drawnAnew(page);
      const banner = await edges(page.getByRole('status').filter({ hasText: 'broken.eval.ts' }));
      const head = await edges(page.getByRole('columnheader', { name: 'score', exact: true }));
      const search = await edges(
        page.locator('label').filter({ has: page.getByPlaceholder(/^Search/) }),
      );
      expect(head.top - banner.bottom).to.be.at.least(10);
      expect(banner.top - search.bottom).to.be.at.least(8);
    }
  });

  it('has numbers of a ruler that stand apart', async () => {
    await page.setViewportSize({ width: 700, height: 900 });
    await drawnAnew(page);
    const numbers = page.getByRole('columnheader', { name: '0 to 100' }).locator('span:visible');
    const all = await Promise.all((await numbers.all()).map(edges));
    expect(all.length).to.be.at.least(3);
    for (const [n, { left }] of all.entries()) {
      const before = all[n - 1];
      if (before) expect(left).to.be.above(before.right);
    }
  });

  it('leaves the sort order on a phone room for filters', async () => {
    await page.setViewportSize({ width: 400, height: 900 });
    await drawnAnew(page);
    await page.keyboard.press('f');
    const panel = page.getByRole('dialog', { name: 'Filters' });
    const status = await edges(panel.locator('[data-filter^="status="]').first());
    expect(status.bottom).to.be.at.most((await edges(panel)).bottom);
  });
});
