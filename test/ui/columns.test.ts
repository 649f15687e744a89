import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { builtUi, type OpenedPage, openPage } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';
import { choose, downloaded, eventually, goWithin, rowNames, rowOf, untilShown } from './screen.js';

const evals = `
import { evaluation } from 'assay';
export const answer = evaluation({
  cases: Array.from({ length: 30 }, (_, n) => ({
    id: 'case_' + n, input: { city: ['Wien', 'Bonn', 'Ulm'][n % 3] }, reference: n,
    metadata: { model: n % 2 ? 'swift' : 'large' },
  })),
  target: (ctx) => ({ answer: ctx.reference }),
}, (ctx) => {
  for (let k = 0; k < 12; k += 1) ctx.score({ key: 'rule_' + k, passed: (ctx.reference * 7 + k) % 13 !== k });
  ctx.score('polite', 1 - ctx.reference / 40);
});
`;

describe('columns for scores and values', () => {
  let served: ServedProject;
  let opened: OpenedPage;
  let page: Page;

  const cell = (row: string, column: string) => rowOf(page, row).locator(`[data-cell="${column}"]`);
  const head = (name: string) => page.getByRole('columnheader', { name });
  const openChooser = async () => {
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Scores and values…' }).click();
    await page.getByRole('dialog', { name: 'Columns' }).waitFor();
  };

  before(async function () {
    this.timeout(120_000);
    served = await ServedProject.start({ 'many.eval.ts': evals }, { ui: builtUi });
    await served.runAll();
    opened = await openPage();
    page = opened.page;
    await page.goto(served.url);
    await rowOf(page, 'answer[case_0]').waitFor();
  });
  after(() => {
    expect(opened.faults).to.deep.equal([]);
  });

  it('the summary has the worst eight scores, and all of them with a search', async () => {
    const scores = page.getByRole('table', { name: 'Scores' });
    expect(await scores.getByRole('rowheader').count()).to.equal(8);
    await page.getByText(/5 more, 90\.0 %; none moved beyond chance · /).waitFor();
    await page.getByRole('button', { name: 'all 13' }).click();
    expect(await scores.getByRole('rowheader').count()).to.equal(13);
    await page.getByRole('textbox', { name: 'Search scores' }).fill('pol');
    expect(await scores.getByRole('rowheader').allInnerTexts()).to.deep.equal(['polite']);
    await page.getByRole('button', { name: 'worst 8' }).click();
  });

  it('are chosen by key, and stay after a reload', async () => {
    await openChooser();
    await page.keyboard.type('polite');
    await page.getByRole('checkbox', { name: 'polite' }).check();
    await page.getByRole('textbox', { name: 'Search columns' }).fill('');
    await page.getByRole('checkbox', { name: 'rule_1', exact: true }).check();
    await page.getByRole('checkbox', { name: 'metadata.model' }).check();
    const path = page.getByRole('textbox', { name: 'Path of a value' });
    await path.fill('nothing');
    expect(await page.getByRole('button', { name: 'Add', exact: true }).isDisabled()).to.equal(
      true,
    );
    await path.fill('input.city');
    await path.press('Enter');
    await page.keyboard.press('Escape');
    await cell('answer[case_4]', 'field:input.city').getByText('Bonn').waitFor();
    expect(await cell('answer[case_4]', 'score:polite').innerText()).to.equal('0.9');
    expect(await cell('answer[case_4]', 'field:metadata.model').innerText()).to.equal('large');
    expect(
      await cell('answer[case_13]', 'score:rule_1').getByRole('img').getAttribute('aria-label'),
    ).to.equal('failed');
    await page.reload();
    await cell('answer[case_4]', 'field:input.city').getByText('Bonn').waitFor();
    expect(await page.getByRole('columnheader', { name: 'Scores' }).count()).to.equal(0);
  });

  it('sort by a score and by a value', async () => {
    await head('polite').getByRole('button').click();
    await eventually(
      () => rowNames(page),
      ([first]) => first === 'answer[case_29]',
      'lowest first',
    );
    await head('input.city').getByRole('button').click();
    await eventually(
      () => rowNames(page),
      ([first]) => first === 'answer[case_1]',
      'Bonn first',
    );
    expect(page.url()).to.contain('sort=field%3Ainput.city');
  });

  it('are in exports of what is on screen, as they are there', async () => {
    await page
      .getByPlaceholder(/^Search/)
      .first()
      .fill('Bonn');
    await untilShown(page, '10 of 30');
    const save = (format: RegExp) => downloaded(page, () => choose(page, 'Export', format));
    const names = await rowNames(page);
    const fields = ['metadata.model', 'input.city'];
    const scores = ['score:polite', 'score:rule_1'];
    const csv = await save(/^CSV/);
    const rows = parse(csv.text, { columns: true }) as Record<string, string>[];
    const head = Object.keys(rows[0] ?? {});
    expect(head).to.deep.equal([
      'function',
      'input',
      'reference',
      'output',
      ...scores,
      ...fields,
      'latency',
    ]);
    expect(rows.map((row) => row.function)).to.deep.equal(names);
    expect(rows.map((row) => row['input.city'])).to.deep.equal(Array(10).fill('Bonn'));
    const titles = await page.getByRole('columnheader').allInnerTexts();
    const added = titles.map((title) => title.split('\n')[0] ?? '');
    expect(added.filter((title) => /^(polite|rule_1|metadata|input\.)/.test(title))).to.deep.equal(
      [...scores, ...fields].map((name) => name.replace('score:', '')),
    );
    const json = JSON.parse((await save(/^JSON/)).text);
    expect(json).to.deep.include({ part_of: 30, total_evaluations: 10 });
    const whole = await save(/^Whole run as CSV/);
    expect(whole.name).to.equal(`${(await served.active()).run_id}.csv`);
    expect(parse(whole.text, { columns: true, bom: true })).to.have.length(30);
    const markdown = await save(/^Markdown/);
    expect(markdown.text.replaceAll('\\', '')).to.contain(
      '| eval | input | reference | output | score:polite | score:rule_1 | metadata.model | input.city | latency |',
    );
  });

  it('have the figures of groups', async () => {
    await goWithin(page, '/?by=metadata.model');
    const group = page.locator('[data-line=group]').first();
    await group.waitFor();
    expect(await group.locator('[data-cell="score:rule_1"]').innerText()).to.match(/^\d+\.\d %$/);
  });

  it('are chips in a narrow window', async () => {
    await page.setViewportSize({ width: 768, height: 800 });
    await page.locator('[data-cell="score:rule_1"]').first().waitFor({ state: 'detached' });
    await page.locator('[data-line=row] [data-cell=scores]').first().waitFor();
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    const items = page.getByRole('menuitemcheckbox');
    await items.first().waitFor();
    const without = (await items.allInnerTexts()).filter((text) => text.includes('no room'));
    expect(without.map((text) => text.split('\n')[0])).to.deep.equal([
      'Input',
      'Reference',
      'polite',
      'rule_1',
      'metadata.model',
      'input.city',
    ]);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('go from the menu', async () => {
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await page.getByRole('menuitemcheckbox', { name: 'input.city' }).click();
    await page.keyboard.press('Escape');
    await head('input.city').waitFor({ state: 'detached' });
  });
});
