import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { builtUi } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';
import { serveKept } from './kept-page.js';
import { rowOf } from './screen.js';

const evals = `
import { evaluation } from 'assay';
export const wordy = evaluation({
  cases: [
    { id: 'one', input: 'Short.', reference: 'policy '.repeat(120), metadata: { tier: 'gold, since the first order' } },
    { id: 'two', input: 'Two.', reference: { until: '2026-11-21', eligible: true } },
  ],
  target: ({ caseId, reference }) => (caseId === 'one' ? 'voucher '.repeat(180) : { ...reference, eligible: false }),
}, (ctx) => {
  ctx.score({ key: 'exact', passed: false, notes: ctx.caseId === 'one' ? 'depot '.repeat(200) : 'Wrong.' });
});
`;

describe('details below a row', function () {
  this.timeout(120_000);
  const at = serveKept(async () => {
    const served = await ServedProject.start({ 'wordy.eval.ts': evals }, { ui: builtUi });
    await served.runAll();
    return served;
  });

  /** Opens a row with the keyboard; answers with its details. */
  const expand = async (page: Page, name: string): Promise<Locator> => {
    await rowOf(page, name).getByRole('link', { name, exact: true }).focus();
    await page.keyboard.press('ArrowRight');
    const detail = page.locator('[data-key^=detail]').filter({ hasText: `::${name}` });
    await detail.getByText('Open').waitFor();
    return detail;
  };
  const cell = (detail: Locator, column: string) => detail.locator(`[data-cell="${column}"]`);
  const links = (of: Locator) => of.getByRole('link', { name: 'more', exact: true }).count();

  it('lead to the result where a text is higher than its box, also one line that wraps', async () => {
    const page = await at.open();
    const detail = await expand(page, 'wordy[one]');
    await cell(detail, 'reference').getByRole('link', { name: 'more' }).waitFor();
    const columns = ['input', 'reference', 'output', 'scores'];
    const found = await Promise.all(columns.map((column) => links(cell(detail, column))));
    expect(found).to.deep.equal([0, 1, 1, 1]);
    await cell(detail, 'reference').getByRole('link', { name: 'more' }).click();
    await page.waitForURL(/\/results\/0/);
  });

  it('show what has no column, by name, where the window is narrower', async () => {
    const page = await at.open('/', { width: 768 });
    const detail = await expand(page, 'wordy[two]');
    expect(await cell(detail, 'input').innerText()).to.match(/^Input\s+Two\.$/);
    expect(await cell(detail, 'reference').innerText()).to.match(
      /^Reference\s+until {5}2026-11-21/,
    );
  });

  it('have the values of added columns, and the notes of scores whose columns stay', async () => {
    const page = await at.open();
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Scores and values…' }).click();
    await page.getByRole('checkbox', { name: 'exact' }).check();
    await page.getByRole('checkbox', { name: 'metadata.tier' }).check();
    await page.keyboard.press('Escape');
    const detail = await expand(page, 'wordy[one]');
    await cell(detail, 'field:metadata.tier').getByText('gold, since the first order').waitFor();
    await detail.getByText(/^depot depot/).waitFor();
    const score = rowOf(page, 'wordy[one]').locator('[data-cell="score:exact"]');
    expect(await score.getByRole('img', { name: 'failed' }).isVisible()).to.equal(true);
  });
});
