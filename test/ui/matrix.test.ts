import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { builtUi, type PageOptions } from '../helpers/browser.js';
import { times } from '../helpers/rounds.js';
import { ServedProject } from '../helpers/served-project.js';
import { keepPage } from './kept-page.js';
import { looksWell } from './looks.js';
import { untilShown } from './screen.js';

const evals = `
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { evaluation } from 'assay';
const hold = new URL('../hold', import.meta.url);
const answers = JSON.parse(readFileSync(new URL('./answers.json', import.meta.url), 'utf8'));
const wanted = { kept: 'yes', late: 'refund', 'cancel[twice]': 'cancelled', fresh: 'hello' };
export const all = Object.entries(answers).map(([name, says]) =>
  evaluation({
    name,
    dataset: name.startsWith('cancel') ? 'orders' : name.startsWith('filler') ? 'tone' : 'refunds',
    trials: name === 'late' ? 10 : 1,
    input: 'ask ' + name,
    reference: wanted[name] ?? name,
    params: { model: 'large', style: 'short' },
    target: async ({ params }) => {
      void [params.model, params.style];
      while (name === 'kept' && existsSync(hold)) await setTimeout(20);
      if (says === 'broken') throw new Error('no answer');
      return says;
    },
    evaluators: [function exact({ output, reference }) { return output === reference; }],
  }),
);
`;

const filler = Object.fromEntries(
  Array.from({ length: 60 }, (_, n) => [`filler_${n}`, `filler_${n}`]),
);
/** What each variant says, by case; the variants after these say what the first one does. */
const variants: readonly Readonly<Record<string, string>>[] = [
  { kept: 'yes', late: 'refund', 'cancel[twice]': 'cancelled', ...filler },
  { kept: 'yes', late: 'no', 'cancel[twice]': 'broken', ...filler },
  { kept: 'yes', late: 'no', 'cancel[twice]': 'cancelled', fresh: 'hello', ...filler },
];

describe('matrix page', function () {
  this.timeout(120_000 * times(1));
  let served: ServedProject;
  const ids: string[] = [];
  const kept = keepPage(() => served.url);

  before(async () => {
    const [first] = variants;
    served = await ServedProject.start(
      { 'evals/a.eval.ts': evals, 'evals/answers.json': JSON.stringify(first) },
      { ui: builtUi, paths: ['evals'] },
    );
    for (let n = 0; n < 12; n += 1) {
      served.project.write('evals/answers.json', JSON.stringify(variants[n] ?? first));
      await served.post('/api/server/restart');
      await served.post('/api/runs/new?wait=true', { run_name: `variant-${n + 1}` });
      ids.push((await served.active()).run_id);
    }
  });

  const address = (count: number, query = '') =>
    `/matrix?${ids
      .slice(0, count)
      .map((id) => `run=${id}`)
      .join('&')}${query}`;
  const open = async (count: number, query = '', options?: PageOptions): Promise<Page> => {
    const page = await kept.open(address(count, query), options);
    await page.getByRole('heading', { level: 1, name: /^Matrix of/ }).waitFor();
    await page.getByRole('treegrid').waitFor();
    return page;
  };
  const row = (page: Page, name: string) =>
    page
      .getByRole('row')
      .filter({ has: page.getByTitle(`evals/a.eval.ts::${name}`, { exact: true }) });
  const selected = (page: Page) =>
    page.evaluate<string>(`(() => {
      const cell = document.activeElement?.closest('[role=gridcell]');
      return cell?.parentElement.querySelector('[role=rowheader]').textContent.trim() + ' ' +
        [...cell.parentElement.children].indexOf(cell);
    })()`);

  it('has a row for each case by dataset, and says what came of it in each run', async () => {
    const page = await open(3);
    await untilShown(page, '64 of 64 cases');
    const heads = page.getByRole('columnheader');
    expect(await heads.count()).to.equal(4);
    expect(await heads.nth(1).innerText())
      .to.contain('variant-1')
      .and.contain('100.0');
    await heads.nth(2).getByText(/−/).waitFor();
    expect(await row(page, 'late').getByRole('gridcell').allTextContents()).to.deep.equal([
      '10/10 passed',
      '▼worse than A beyond chance 0/10 passed',
      '▼worse than A beyond chance 0/10 passed',
    ]);
    await row(page, 'cancel[twice]').getByRole('gridcell', { name: 'error' }).waitFor();
    await row(page, 'fresh').getByText('not in this run').first().waitFor({ state: 'attached' });
    const orders = page.getByRole('row', { name: /^orders/ });
    expect(await orders.getByRole('gridcell').allInnerTexts()).to.deep.equal([
      '100.0 %',
      '0.0 %',
      '100.0 %',
    ]);
    await page.getByRole('button', { name: 'latency', exact: true }).click();
    const first = row(page, 'kept').getByRole('gridcell').first();
    await first.filter({ hasText: /s$/ }).waitFor();
  });

  it('shows only what differs, in counts, and finds cases by text', async () => {
    const page = await open(3);
    await page.getByRole('button', { name: /^variants differ/ }).click();
    await untilShown(page, '2 of 64 cases');
    const refunds = page.getByRole('row', { name: /^refunds/ });
    expect(await refunds.getByRole('gridcell').allInnerTexts()).to.deep.equal([
      '10/10',
      '0/10',
      '0/10',
    ]);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('textbox', { name: 'Search' }).fill('twice');
    await untilShown(page, '1 of 64 cases');
  });

  it('goes by keys: cells, groups, the panel, a result, and back to the same cell', async () => {
    const page = await open(3);
    await page.keyboard.press('j');
    expect(await selected(page)).to.equal('refunds3 1');
    for (const key of ['j', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
    expect(await selected(page)).to.equal('late 2');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: 'Selected case' });
    await panel.getByText('ask late').waitFor();
    const outputs = panel.getByRole('listitem');
    await outputs.first().waitFor();
    expect(await outputs.count()).to.equal(2);
    const first = await outputs.first().getByRole('img', { name: /^run/ }).all();
    expect(await Promise.all(first.map((tag) => tag.innerText()))).to.deep.equal(['B', 'C']);
    expect(await outputs.first().innerText()).to.contain('no');
    await page.keyboard.press('k');
    await panel.getByText('ask kept').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/runs\/.*\/results\//);
    await page.getByRole('link', { name: /^Matrix/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[role=gridcell]:focus').waitFor();
    expect(await selected(page)).to.equal('kept 2');
    await page.keyboard.press('Enter');
    await panel.waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(page.url()).to.contain('/matrix?');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await row(page, 'kept').waitFor({ state: 'detached' });
    await page.keyboard.press('End');
    expect(await selected(page)).to.equal('filler_59 2');
  });

  it('makes a run the base, and opens two in the comparison', async () => {
    const page = await open(3, '&differ=true');
    await row(page, 'late').getByRole('gridcell').nth(2).click();
    await page.keyboard.press('b');
    await page.waitForURL((url) => url.searchParams.get('run') === ids[2]);
    await page.getByRole('button', { name: /^variant-3/ }).click();
    await page.getByRole('button', { name: /^variant-1/ }).click();
    await page.getByRole('button', { name: 'Compare A, B' }).click();
    await page.waitForURL((url) => url.pathname === '/compare');
    expect(new URL(page.url()).searchParams.getAll('run')).to.deep.equal([ids[2], ids[0]]);
  });

  it('is where a comparison of more than four runs leads', async () => {
    const page = await open(4);
    await page.goto(`${served.url}${address(4).replace('/matrix', '/compare')}`);
    await page.getByRole('button', { name: /^Add run/ }).click();
    await page.getByRole('option', { name: /variant-9/ }).click();
    await page.waitForURL((url) => url.pathname === '/matrix');
    expect(new URL(page.url()).searchParams.getAll('run')).to.deep.equal([
      ...ids.slice(0, 4),
      ids[8],
    ]);
    await page.goto(`${served.url}${address(12)}`);
    await page.getByRole('treegrid').waitFor();
    expect(await page.getByRole('button', { name: /^Add run/ }).innerText()).to.contain('12/12');
  });

  it('names a run that is not there, and goes on without it', async () => {
    const page = await kept.open(`${address(2)}&run=000000000000`);
    await page.getByText('000000000000').waitFor();
    await page.getByRole('button', { name: 'Go on without' }).click();
    await page.getByRole('treegrid').waitFor();
  });

  it('is reached from each run of a group, without runs that were deleted, and shows one in progress', async () => {
    served.project.write('hold', '');
    const started = await served.post('/api/runs/new', {
      params: { style: 'long' },
      variants: ['large', 'swift', 'tiny'].map((model) => ({ params: { model } })),
    });
    const group: string[] = started.body.run_ids;
    const page = await kept.open(`/?run=${group[1]}`);
    await page.getByRole('link', { name: 'Matrix' }).click();
    await page.getByRole('treegrid').waitFor();
    expect(new URL(page.url()).searchParams.getAll('run')).to.deep.equal(group);
    const first = row(page, 'kept').getByRole('gridcell').first();
    await first.getByRole('img', { name: 'running' }).waitFor();
    await page
      .getByTitle(/1 case without a result; still running/)
      .first()
      .waitFor();
    served.project.remove('hold');
    await first.getByRole('img', { name: 'passed' }).waitFor();

    await served.delete(`/api/runs/${group[2]}`);
    await page.goto(`${served.url}/?run=${group[1]}`);
    const link = page.getByRole('link', { name: 'Matrix' });
    await link.waitFor();
    const href = new URL((await link.getAttribute('href')) ?? '', served.url);
    expect(href.searchParams.getAll('run')).to.deep.equal(group.slice(0, 2));
    const summary = page.getByRole('region', { name: 'Summary of the filtered results' });
    await summary.getByTitle(/^model: swift/).waitFor();
    await summary.getByText('style long').waitFor();
  });

  it('says what a run lacks, and shows errors and runs without an output in the panel', async () => {
    const page = await open(3);
    await page
      .getByTitle(/1 case not in this run/)
      .first()
      .waitFor();
    await row(page, 'cancel[twice]').getByRole('gridcell').nth(1).click();
    const panel = page.getByRole('complementary', { name: 'Selected case' });
    await panel.getByText('no answer').waitFor();
    await row(page, 'fresh').getByRole('gridcell').first().click();
    await panel.getByText('the same everywhere').waitFor();
    expect(await panel.getByRole('button', { name: /^Open in variant-1/ }).isVisible()).to.equal(
      false,
    );
  });

  for (const count of [2, 12]) {
    it(`fits and is for everybody with ${count} runs`, async () => {
      const page = await open(count);
      await row(page, 'late').getByRole('gridcell').nth(1).click();
      await page.getByRole('complementary').getByText('ask late').waitFor();
      await looksWell(page, `the matrix of ${count} runs`, { inEach: true });
    });
  }
});
