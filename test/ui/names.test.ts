import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { builtUi } from '../helpers/browser.js';
import { times } from '../helpers/rounds.js';
import { ServedProject } from '../helpers/served-project.js';
import { serveKept } from './kept-page.js';
import { cutBy, drawnAnew, goWithin } from './screen.js';

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

/** Cases that only the end of their names tells apart. */
const ends = [
  ['invoice_en_first_contact', 'en_first_contact]'],
  ['invoice_de_first_contact', 'de_first_contact]'],
  ['invoice_de_second_contact', 'second_contact]'],
] as const;

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

/** With `ROUNDS` those of each layout. */
const widths = times(1) === 1 ? [1440, 400] : [1440, 900, 768, 641, 400];

describe('names keep the end that tells them apart', function () {
  this.timeout(120_000);
  const at = serveKept(async () => {
    const served = await ServedProject.start({ 'a.eval.ts': evals }, { ui: builtUi });
    await served.runAll();
    return served;
  });

  it('on the dashboard: evaluations, datasets, scores, groups and filters', async () => {
    for (const width of widths) {
      const page = await at.open('/', { width });
      await goWithin(page, '/?by=dataset');
      await page.locator('[data-line=group]').first().waitFor();
      await drawnAnew(page);
      const scores = page.getByRole('table', { name: 'Scores' });
      for (const key of keys) {
        const place = scores.getByRole('button', { name: key });
        await seesEnd(place, key.slice(-8), `${key} at ${width}`);
      }
      for (const dataset of datasets) {
        const group = page.locator('[data-line=group]').filter({ hasText: dataset });
        await seesEnd(group.getByRole('rowheader'), dataset.slice(-8), `${dataset} at ${width}`);
      }
      for (const [id, end] of ends) {
        const name = `escalate_on_request_after_two_failed_attempts[${id}]`;
        const link = page.getByRole('link', { name, exact: true });
        expect(await link.innerText()).to.equal(name);
        await seesEnd(link, end, `${id} at ${width}`);
      }
      await page.keyboard.press('f');
      const panel = page.getByRole('dialog');
      for (const key of keys) {
        await seesEnd(panel.getByTitle(key), key.slice(-8), `filter of ${key}`);
      }
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'detached' });
    }
  });

  it('in a comparison, beside their runs and above them', async () => {
    const first = (await at.served.active()).run_id;
    const second = (await at.served.post('/api/runs/new?wait=true', {})).body.run_id;
    const page = await at.open(`/?run=${first}`);
    await goWithin(page, `/compare?run=${first}&run=${second}`);
    const scores = page.getByRole('table', { name: 'Scores by run' });
    for (const key of keys) {
      await seesEnd(scores.getByRole('button', { name: key }), key.slice(-8), key);
    }
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      for (const [id, end] of ends) {
        const name = page.getByRole('rowheader').filter({ hasText: id });
        await seesEnd(name, end, `${id} at ${width}`);
      }
    }
  });

  it('and are shown whole where they are cut, under the pointer and with the focus', async () => {
    const page = await at.open('/', { width: 1000 });
    const name = 'escalate_on_request_after_two_failed_attempts[invoice_de_second_contact]';
    const tip = page.locator('[role=tooltip]');
    await page.getByRole('link', { name, exact: true }).hover();
    await tip.filter({ hasText: name }).waitFor();
    const { x, width } = (await tip.boundingBox()) ?? { x: 0, width: 9999 };
    expect(x + width).to.be.at.most(1000);
    await page.keyboard.press('Escape');
    await tip.waitFor({ state: 'detached' });
    await page.mouse.move(0, 0);
    await page.keyboard.press('j');
    await tip.filter({ hasText: 'escalate_on_request' }).waitFor();
    await page.keyboard.press('j');
    await tip.waitFor({ state: 'detached' });
  });
});
