import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { builtUi } from '../helpers/browser.js';
import { times } from '../helpers/rounds.js';
import { ServedProject } from '../helpers/served-project.js';
import { serveKept } from './kept-page.js';
import { part } from './result-project.js';
import { cutBy, drawnAnew, eventually, goWithin, rowOf } from './screen.js';

/** Keys that are the same at their beginning, and longer than any place for them. */
const keys = ['returned', 'replaced', 'refunded'].map(
  (end) => `no_promise_of_dates_for_items_${end}`,
);

/** Datasets whose names are so, too. */
const datasets = ['returning', 'first_time'].map(
  (end) => `escalations_of_the_support_agent_in_the_chat_of_the_shop_by_customers_${end}`,
);

const named = `
import { evaluation } from 'assay';
const ids = ['invoice_en_first_contact', 'invoice_de_first_contact', 'invoice_de_second_contact', 'short'];
export const escalate_on_request_after_two_failed_attempts = evaluation(
  {
    cases: ids.map((id, n) => ({ id, input: id, dataset: ${JSON.stringify(datasets)}[n % 2], metadata: { tier: 'gold' } })),
    labels: ['long'],
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

const near = `
import { evaluation } from 'assay';
export const near = evaluation({
  dataset: 'near',
  scores: { near: { threshold: 0.8 }, tokens: { threshold: 500, better: 'lower' } },
  cases: [0.62, 0.83].map((input) => ({ input })),
  target: (ctx) => ctx.input,
  evaluators: [function near({ output }) { return output; }, function tokens() { return 412; }],
});
`;

const repeated = `
import { evaluation } from 'assay';
export const spent = evaluation({
  dataset: 'trials', trials: 3,
  target: (ctx) => ctx.trial,
  evaluators: [
    function tokens({ output }) { return [400, 410, 5000][output - 1]; },
    function near({ output }) { return output / 4; },
  ],
});
`;

const wordy = `
import { evaluation } from 'assay';
export const wordy = evaluation({
  dataset: 'wordy',
  cases: [
    { id: 'one', input: 'Short.', reference: 'policy '.repeat(120), metadata: { tier: 'gold, since the first order' } },
    { id: 'two', input: 'Two.', reference: { until: '2026-11-21', eligible: true } },
  ],
  target: ({ caseId, reference }) => (caseId === 'one' ? 'voucher '.repeat(180) : { ...reference, eligible: false }),
}, (ctx) => {
  ctx.score({ key: 'exact', passed: false, notes: ctx.caseId === 'one' ? 'depot '.repeat(200) : 'Wrong.' });
});
`;

describe('what rows say', function () {
  this.timeout(120_000);
  const at = serveKept(async () => {
    const served = await ServedProject.start(
      { 'a.eval.ts': named, 'b.eval.ts': near, 'c.eval.ts': repeated, 'd.eval.ts': wordy },
      { ui: builtUi },
    );
    await served.runAll();
    return served;
  });

  describe('of scores with thresholds', () => {
    it('show values as they stand to their threshold, and how many passed', async () => {
      const page = await at.open('/?dataset=near');
      await page.getByText('0.62 < 0.8').waitFor();
      await page.getByText('0.83 ≥ 0.8').waitFor();
      await page.getByRole('button', { name: 'near ≥ 0.8' }).click();
      await page.getByText('0.83 ≥ 0.8').waitFor({ state: 'detached' });
    });

    it('have a mean, and the share that passed with its interval as at the terminal', async () => {
      const page = await at.open('/?dataset=near');
      const table = page.getByRole('table', { name: 'Scores' });
      expect(await table.getByRole('columnheader').nth(2).innerText()).to.equal('value');
      const cells = async (n: number) =>
        (await table.getByRole('row').nth(n).getByRole('cell').allInnerTexts()).slice(0, 3);
      expect([await cells(1), await cells(2), await cells(3), await cells(4)]).to.deep.equal([
        ['95 % interval: n too small\nn too small', '0.725', 'mean of 2'],
        ['95 % interval: 9.5–90.5', '50.0 %', '1 / 2'],
        ['95 % interval: unbounded values\nunbounded values', '412', 'p50 of 2, p95 412'],
        ['95 % interval: 34.2–100.0', '100.0 %', '2 / 2'],
      ]);
      // The whisker of a share is drawn.
      const whiskers = (n: number) =>
        table.getByRole('row').nth(n).locator('[class*=whisker]').count();
      expect([await whiskers(2), await whiskers(4)]).to.deep.equal([1, 1]);
    });

    it('show p50 of unbounded values in the row of a case, and the mean of grades', async () => {
      const page = await at.open('/?dataset=trials');
      const row = page.getByRole('row').filter({ hasText: 'spent' });
      await row.getByText('410', { exact: true }).waitFor();
      await row.getByText('0.5', { exact: true }).waitFor();
      expect(await row.getByText('410', { exact: true }).getAttribute('title')).to.equal(
        'p50 410, p95 4,541',
      );
      const table = page.getByRole('table', { name: 'Scores' });
      await table.getByText('p50 of 3, p95 4,541').waitFor();
    });

    it('get the verdict of the value that is entered, which the form shows', async () => {
      const { served } = at;
      const { run_id: run } = await served.active();
      const page = await at.open('/?dataset=near');
      await page.getByRole('row').filter({ hasText: '0.62 < 0.8' }).getByRole('link').click();
      const scores = part(page, 'Scores');
      await scores.getByText('0.62 < 0.8').waitFor();
      await scores.getByRole('button', { name: 'Edit near' }).click();
      const form = scores.getByRole('form', { name: 'Edit near' });
      await form.getByText('fails, wanted ≥ 0.8').waitFor();
      await form.getByLabel('value').fill('0.9');
      await form.getByText('passes, wanted ≥ 0.8').waitFor();
      await page.keyboard.press('Control+Enter');
      await scores.getByText('0.9 ≥ 0.8').waitFor();
      const index = /\/results\/(\d+)/.exec(page.url())?.[1];
      const { result } = (await served.get(`/api/runs/${run}/results/${index}`)).body.result;
      expect(result.scores[0]).to.deep.equal({
        key: 'near',
        passed: true,
        value: 0.9,
        threshold: 0.8,
        source: 'human',
      });
    });
  });

  describe('keeps the end of names that tells them apart', () => {
    it('on the dashboard: evaluations, datasets, scores, groups and filters', async () => {
      for (const width of widths) {
        const page = await at.open('/', { width });
        await goWithin(page, '/?by=dataset&label=long');
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
      await goWithin(page, `/compare?run=${first}&run=${second}&search=escalate`);
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
      const page = await at.open('/?label=long', { width: 1000 });
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

  describe('in details below them', () => {
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
      const page = await at.open('/?dataset=wordy');
      const detail = await expand(page, 'wordy[one]');
      await cell(detail, 'reference').getByRole('link', { name: 'more' }).waitFor();
      const columns = ['input', 'reference', 'output', 'scores'];
      const found = await Promise.all(columns.map((column) => links(cell(detail, column))));
      expect(found).to.deep.equal([0, 1, 1, 1]);
      await cell(detail, 'reference').getByRole('link', { name: 'more' }).click();
      await page.getByRole('heading', { level: 1, name: 'wordy[one]' }).waitFor();
    });

    it('show what has no column, by name, where the window is narrower', async () => {
      const page = await at.open('/?dataset=wordy', { width: 768 });
      const detail = await expand(page, 'wordy[two]');
      expect(await cell(detail, 'input').innerText()).to.match(/^Input\s+Two\.$/);
      // Read after the row.
      await eventually(
        () => cell(detail, 'reference').innerText(),
        (text) => /^Reference\s+until {5}2026-11-21/.test(text),
        'the reference',
      );
    });

    it('have the values of added columns, and the notes of scores whose columns stay', async () => {
      const page = await at.open('/?dataset=wordy');
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
});
