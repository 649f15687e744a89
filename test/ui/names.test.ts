import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { builtUi } from '../helpers/browser.js';
import { fewOf } from '../helpers/rounds.js';
import { ServedProject } from '../helpers/served-project.js';
import { cutBy, drawnAnew, goWithin, showColumns } from './screen.js';
import { serveOnePage } from './served-pages.js';

/** Keys that are the same at their beginning, and longer than any place for them. */
const keys = ['returned', 'replaced', 'refunded'].map(
  (end) => `no_promise_of_dates_for_items_${end}`,
);

/** Datasets whose names are so, too. */
const datasets = ['returning', 'first_time'].map(
  (end) => `escalations_of_the_support_agent_in_the_chat_of_the_shop_by_customers_${end}`,
);

const evals = `
import { evaluation } from 'assay';
const ids = ['invoice_en_first_contact', 'invoice_de_first_contact', 'invoice_de_second_contact', 'short'];
export const escalate_on_request_after_two_failed_attempts = evaluation(
  {
    cases: ids.map((id, n) => ({ id, input: id, dataset: ${JSON.stringify(datasets)}[n % 2], metadata: { tier: 'gold' } })),
    target: ({ input }) => input,
  },
  (ctx) => { for (const key of ${JSON.stringify(keys)}) ctx.score(key, ctx.input !== 'short'); },
);
`;

/** The text that is seen of the end of a name, which is whole and inside what is around it. */
async function seesEnd(place: Locator, end: string, what: string): Promise<void> {
  const part = place.locator(`[data-text$="${end}"]`).first();
  await part.waitFor();
  expect(await part.evaluate(cutBy), what).to.equal(0);
  const [outer, inner] = await Promise.all([place.boundingBox(), part.boundingBox()]);
  if (outer === null || inner === null) throw new Error(`${what} is not in sight`);
  expect(inner.x, what).to.be.at.least(outer.x - 1);
  expect(inner.x + inner.width, what).to.be.at.most(outer.x + outer.width + 1);
}

describe('names', function () {
  this.timeout(120_000);
  const at = serveOnePage(async () => {
    const served = await ServedProject.start({ 'a.eval.ts': evals }, { ui: builtUi });
    await served.runAll();
    return served;
  });

  it('keep the end that tells them apart, whatever the width', async () => {
    const page = await at.open('/', { width: 1440 });
    for (const width of fewOf([1440, 900, 641, 700, 400], 3)) {
      await page.setViewportSize({ width, height: 900 });
      await drawnAnew(page);
      for (const [id, end] of [
        ['invoice_en_first_contact', 'en_first_contact]'],
        ['invoice_de_first_contact', 'de_first_contact]'],
        ['invoice_de_second_contact', 'second_contact]'],
      ]) {
        const name = `escalate_on_request_after_two_failed_attempts[${id}]`;
        const link = page.getByRole('link', { name, exact: true });
        await link.waitFor();
        expect(await link.innerText()).to.equal(name);
        await seesEnd(link, end ?? '', `${id} at ${width}`);
      }
    }
  });

  it('are shown whole where they are cut, under the pointer and with the focus', async () => {
    const page = await at.open('/', { width: 1000 });
    const name = 'escalate_on_request_after_two_failed_attempts[invoice_de_second_contact]';
    const link = page.getByRole('link', { name, exact: true });
    const tip = page.locator('[role=tooltip]');
    await link.hover();
    await tip.filter({ hasText: name }).waitFor();
    const box = await tip.boundingBox();
    if (box === null) throw new Error('the whole text is not in sight');
    expect(box.x + box.width).to.be.at.most(1000);
    await page.keyboard.press('Escape');
    await tip.waitFor({ state: 'detached' });
    await page.mouse.move(0, 0);
    await page.keyboard.press('j');
    await tip.filter({ hasText: 'escalate_on_request' }).waitFor();
    await page.keyboard.press('j');
    await tip.waitFor({ state: 'detached' });
  });

  it('of datasets and scores do so in the line of filters and in groups', async () => {
    const page = await at.open('/', { width: 1440 });
    const filters = page.getByRole('navigation', { name: 'Filters' });
    const [first = ''] = datasets;
    await filters.getByRole('button', { name: first }).click();
    await filters.getByRole('button', { name: first }).click();
    for (const dataset of datasets) {
      await seesEnd(filters.getByRole('button', { name: dataset }), dataset.slice(-8), dataset);
    }
    await goWithin(page, '/?by=dataset');
    for (const width of [1440, 768, 400]) {
      await page.setViewportSize({ width, height: 900 });
      await drawnAnew(page);
      for (const dataset of datasets) {
        const group = page.locator('[data-line=group]').filter({ hasText: dataset });
        await seesEnd(group.getByRole('rowheader'), dataset.slice(-8), `${dataset} at ${width}`);
        if (width === 768)
          await seesEnd(group.locator('[data-cell=scores]'), 'returned', 'a score');
      }
    }
  });

  it('of scores and pairs do so in a comparison, beside their runs and above them', async () => {
    const first = (await at.served.active()).run_id;
    const second = (await at.served.post('/api/runs/new?wait=true', {})).body.run_id;
    const page = await at.open(`/?run=${first}`);
    await goWithin(page, `/compare?run=${first}&run=${second}`);
    const scores = page.getByRole('table', { name: 'Scores by run' });
    for (const key of keys) {
      await seesEnd(scores.getByRole('button', { name: key }), key.slice(-8), key);
    }
    await page.getByRole('button', { name: 'All differences' }).click();
    const dialog = page.getByRole('dialog');
    for (const key of keys) {
      await seesEnd(dialog.getByRole('rowheader', { name: key }), key.slice(-8), key);
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    for (const width of fewOf([1440, 1024, 400, 900], 2)) {
      await page.setViewportSize({ width, height: 900 });
      for (const [id, end] of [
        ['invoice_en_first_contact', 'en_first_contact]'],
        ['invoice_de_second_contact', 'second_contact]'],
      ]) {
        const name = page.getByRole('rowheader').filter({ hasText: id ?? '' });
        await seesEnd(name, end ?? '', `${id} at ${width}`);
        // Only so much is kept that there is more room for the function.
        await name.locator(`[data-text="${end}"]`).waitFor();
      }
    }
  });

  it('of scores keep the end that tells them apart: in the summary, in heads, filters and chips', async () => {
    const page = await at.open('/');
    const scores = page.getByRole('table', { name: 'Scores' });
    for (const width of fewOf([1440, 768, 400], 2)) {
      await page.setViewportSize({ width, height: 900 });
      await drawnAnew(page);
      for (const key of keys) {
        await seesEnd(
          scores.getByRole('button', { name: key }),
          key.slice(-8),
          `${key} at ${width}`,
        );
      }
    }
    const [chip = ''] = keys;
    await seesEnd(
      page.getByRole('row').filter({ hasText: '[short]' }).first(),
      chip.slice(-8),
      'a chip',
    );
    for (const width of fewOf([400, 1440], 1)) {
      await page.setViewportSize({ width, height: 900 });
      await page.keyboard.press('f');
      const panel = page.getByRole('dialog');
      for (const key of keys)
        await seesEnd(panel.getByTitle(key), key.slice(-8), `filter of ${key}`);
      await page.keyboard.press('Escape');
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Scores and values…' }).click();
    const chooser = page.getByRole('dialog', { name: 'Columns' });
    for (const key of keys) {
      await seesEnd(chooser.getByTitle(key), key.slice(-8), `column of ${key}`);
    }
    await page.keyboard.press('Escape');
    await showColumns(page, ['input', ...keys.map((key) => `score:${key}`)]);
    await page.reload();
    for (const key of keys) {
      await seesEnd(page.getByRole('columnheader', { name: key }), key.slice(-8), `head of ${key}`);
    }
  });

  it('of evaluations keep that end beside many columns, where the function gives way', async () => {
    const page = await at.open('/', { width: 641 });
    await showColumns(page, ['input', 'output', 'scores']);
    await page.goto(`${at.served.url}/?by=dataset`);
    await page.getByRole('columnheader', { name: 'Passed %' }).waitFor();
    const name = 'escalate_on_request_after_two_failed_attempts[invoice_de_second_contact]';
    const link = page.getByRole('link', { name, exact: true });
    await seesEnd(link, 'second_contact]', 'the case');
    expect((await link.boundingBox())?.width).to.be.below(200);
  });
});
