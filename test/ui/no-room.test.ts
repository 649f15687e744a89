import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { builtUi } from '../helpers/browser.js';
import { startFakeProvider } from '../helpers/fake-provider.js';
import { fewOf } from '../helpers/rounds.js';
import { ServedProject } from '../helpers/served-project.js';
import { cutBy, drawnAnew, eventually, showColumns } from './screen.js';
import { servePages } from './served-pages.js';

/** Keys of as many scores as a table has no room for. */
const keys = Array.from({ length: 20 }, (_, n) => `rule_${n}`);

const evals = (url: string) => `
import { evaluation } from 'assay';
export const cancel = evaluation({
  cases: [1, 2].map((n) => ({ id: 'case_' + n, input: 'Cancel A-' + n, reference: 'Cancelled ' + n, metadata: { tier: 'gold' } })),
  dataset: 'orders',
  target: async ({ input }) => {
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: input }] });
    await (await fetch('${url}/v1/chat/completions', { method: 'POST', headers: { 'content-type': 'application/json' }, body })).text();
    return 'Done.';
  },
}, (ctx) => { for (const key of ${JSON.stringify(keys)}) ctx.score(key, true); ctx.score('polite', 0.25); });
`;

const columns = [
  ...['input', 'reference', 'output', 'error', 'field:metadata.tier'],
  ...[...keys, 'polite'].map((key) => `score:${key}`),
  ...['scores', 'calls', 'tokens', 'cost', 'latency'],
];

/** What a column says of the first result, by its name in the menu. */
const values = [
  { id: 'input', name: 'Input', value: /Cancel A-1/ },
  { id: 'reference', name: 'Reference', value: /Cancelled 1/ },
  { id: 'output', name: 'Output', value: /Done\./ },
  { id: 'error', name: 'Error', value: /none/ },
  { id: 'field:metadata.tier', name: 'metadata.tier', value: /gold/ },
  { id: 'score:polite', name: 'polite', value: /\.25/ },
  { id: 'calls', name: 'Calls', value: /^(Calls\s+)?1$/ },
  { id: 'tokens', name: 'Tokens', value: /150/ },
  { id: 'cost', name: 'Cost $', value: /\.000/ },
];

describe('columns without room', function () {
  this.timeout(120_000);
  const at = servePages(async () => {
    const provider = await startFakeProvider();
    const files = { 'calls.eval.ts': evals(provider.url) };
    const served = await ServedProject.start(files, { ui: builtUi, hosts: true });
    await served.runAll();
    await provider[Symbol.asyncDispose]();
    return served;
  });

  /** Names of the columns that the menu marks, which a narrow window has among other things. */
  const marked = async (page: Page, menu: string) => {
    await page.getByRole('button', { name: menu, exact: true }).click();
    const items = page.getByRole('menuitemcheckbox');
    await items.first().waitFor();
    const texts = await items.allInnerTexts();
    await page.keyboard.press('Escape');
    await items.first().waitFor({ state: 'detached' });
    return texts.filter((text) => text.includes('no room')).map((text) => text.split('\n')[0]);
  };

  it('are in the details of a row at any width, and marked in the menu', async () => {
    const page = await at.open('/', { width: 1440 });
    await showColumns(page, columns);
    // One of each layout; with `ROUNDS` all.
    const all = [
      [1440, 'Columns'],
      [1024, 'Columns'],
      [901, 'Columns'],
      [768, 'Columns'],
      [720, 'More'],
      [641, 'More'],
      [320, 'More'],
      [400, 'More'],
      [640, 'More'],
    ] as const;
    for (const [width, menu] of fewOf(all, 2)) {
      await page.setViewportSize({ width, height: 900 });
      await page.reload();
      const row = page.locator('[data-line=row]').first();
      const detail = page.locator('[data-key^=detail]');
      await row.waitFor();
      await eventually(
        async () => {
          await row.getByRole('link').focus();
          await page.keyboard.press('ArrowRight');
          return detail.count();
        },
        (open) => open === 1,
        'details',
      );
      await detail.getByText(/^Cancel A-1$/).waitFor();
      const without = await marked(page, menu);
      for (const { id, name, value } of values) {
        const cell = row.locator(`[data-cell="${id}"]`);
        const place = id.startsWith('score:') ? 'scores' : id;
        const said = (await cell.isVisible()) ? cell : detail.locator(`[data-cell="${place}"]`);
        expect(await said.innerText(), `${name} at ${width}`).to.match(value);
        expect(without.includes(name), `${name} at ${width}`).to.equal((await cell.count()) === 0);
      }
    }
  });

  it('leave room for the head of the others', async () => {
    const page = await at.open('/', { width: 1440 });
    await showColumns(page, ['output', 'field:metadata.tier', 'scores', 'calls', 'latency']);
    await page.goto(`${at.served.url}/?by=dataset`);
    await page.locator('[data-line=group]').waitFor();
    for (const width of fewOf([901, 768, 641, 1024, 700], 3)) {
      await page.setViewportSize({ width, height: 900 });
      await drawnAnew(page);
      const head = page.getByRole('columnheader', { name: 'Passed %' });
      for (const button of await head.getByRole('button').all()) {
        expect(await button.evaluate(cutBy), `at ${width}`).to.equal(0);
      }
    }
  });
});
