import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { builtUi } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';
import { keepPage } from './kept-page.js';
import { eventually, rowOf } from './screen.js';

/** 14 datasets of two results each, with 13 scores, of which the first says in its notes what it misses. */
const project = `
import { evaluation } from 'assay';
const scores = Array.from({ length: 13 }, (_, n) => 'score_' + n);
const of = (n) => evaluation({
  dataset: 'dataset-' + n,
  cases: ['free', 'pro'].map((tier) => ({ id: tier, input: 'Trip ' + n, metadata: { tier, language: 'en' } })),
  target: () => 'A seat is held.',
}, (ctx) => {
  if (n === 4) ctx.score({ key: 'names_the_passport_of_every_traveller', passed: true, notes: 'It names the number of the passport.' });
  for (const key of scores) ctx.score({ key, passed: key !== 'score_0', notes: key === 'score_0' && n === 3 ? 'It never says that the Visa is missing.' : undefined });
});
${Array.from({ length: 14 }, (_, n) => `export const trip${n} = of(${n});`).join('\n')}
`;

/** What an element of the page answers; the types of tests know no page. */
interface InCell {
  getBoundingClientRect(): { readonly right: number };
  closest(selector: string): InCell | null;
}

/** Pixels by which an element goes beyond its cell. */
function beyondCell(element: InCell): number {
  const cell = element.closest('[data-cell]') ?? element;
  return element.getBoundingClientRect().right - cell.getBoundingClientRect().right;
}

describe('searching and filtering the results', function () {
  this.timeout(120_000);
  let served: ServedProject;
  let page: Page;
  const kept = keepPage(() => served.url);
  const open = async (path: string) => {
    page = await kept.open(path);
    await page.locator('[role=row][data-line]').first().waitFor();
  };
  const params = (name: string) => new URL(page.url()).searchParams.getAll(name);
  const has = (name: string, value: string) =>
    page.waitForURL((url) => url.searchParams.getAll(name).join() === value);
  const type = async (text: string) => {
    await page.getByLabel('Search', { exact: true }).fill('');
    await page.getByLabel('Search', { exact: true }).pressSequentially(text);
  };
  const filters = () => page.getByRole('navigation', { name: 'Filters' });
  const shows = (text: string) => page.getByText(text, { exact: true }).first().waitFor();

  before(async () => {
    served = await ServedProject.start({ 'trips.eval.ts': project }, { ui: builtUi });
    await served.runAll();
  });

  it('says where a row says what is searched for', async () => {
    await open('/');
    await type('the visa');
    await shows('2 of 28');
    const cell = rowOf(page, 'trip3[free]').locator('[data-cell=output]');
    // Until then it is of a part of the words.
    const said = 'note of score_0 … that the Visa is missing.';
    await eventually(
      () => cell.innerText(),
      (now) => now === said,
      said,
    );
    expect(await cell.locator('mark').innerText()).to.equal('Visa');
    await page.getByText('in 2 notes of scores').waitFor();
    await type('passport');
    const long = rowOf(page, 'trip4[free]').locator('[data-cell=output]');
    await long.getByTitle('note of names_the_passport_of_every_traveller').waitFor();
    for (const width of [1440, 768, 400]) {
      await page.setViewportSize({ width, height: 900 });
      const beyond = await long.locator('mark').evaluate(beyondCell);
      expect(beyond, `${width} pixels`).to.be.at.most(0);
    }
  });

  it('takes a condition out of the line of search as a filter, and names the field that was meant', async () => {
    await open('/');
    await type('metadata.tier=pro seat');
    await has('where', 'metadata.tier=pro');
    await has('search', 'seat');
    await shows('14 of 28');
    await filters().locator('[data-filter="where=metadata.tier=pro"]').waitFor();
    await type('statsu=failed');
    await page.keyboard.press('Enter');
    await shows('statsu=failed: Did you mean status=failed?');
    expect(params('where')).to.deep.equal(['metadata.tier=pro']);
  });

  it('offers many datasets in a menu, and values of the metadata and scores in the panel', async () => {
    await open('/');
    await filters().getByRole('button', { name: 'dataset 14' }).click();
    await page.getByLabel('Search datasets').fill('11');
    await page.locator('[data-filter="dataset=dataset-11"]').first().click();
    await shows('2 of 28');
    await filters().getByRole('button', { name: 'dataset dataset-11' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('f');
    await page.getByLabel('Key of the metadata').selectOption('metadata.tier');
    await page.locator('[data-filter="where=metadata.tier=free"]').first().click();
    await shows('1 of 28');
    await page.getByLabel('Search scores').fill('_12');
    await page.locator('[data-filter^="score=score_1:"]').first().waitFor({ state: 'detached' });
  });

  it('filters by a value that is clicked in an open row and in a result', async () => {
    await open('/?dataset=dataset-2');
    await rowOf(page, 'trip2[pro]').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Space');
    await page.getByRole('link', { name: /^tier (free|pro)$/ }).click();
    await page.waitForURL((url) => url.searchParams.has('where'));
    expect(params('dataset')).to.deep.equal(['dataset-2']);
    page = await kept.open('/runs/latest/results/1');
    await page.getByRole('button', { name: /^Metadata/ }).click();
    await page.getByRole('link', { name: 'pro', exact: true }).click();
    await has('where', 'metadata.tier=pro');
    await shows('14 of 28');
  });

  it('has no cloud of scores to sort by in a narrow window', async () => {
    await open('/');
    await page.setViewportSize({ width: 400, height: 800 });
    await page.keyboard.press('f');
    const sort = page.getByRole('group', { name: 'sort' });
    await sort.getByRole('button', { name: 'latency' }).waitFor();
    expect(await sort.getByRole('button').count()).to.equal(8);
    await page.getByLabel('Search scores to sort by').fill('score_7');
    await sort.getByRole('button', { name: 'score_7' }).click();
    await has('sort', 'score:score_7');
  });
});
