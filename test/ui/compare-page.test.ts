import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { builtUi, type PageOptions } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';
import { keepPage } from './kept-page.js';
import { eventually, goWithin, holdBack, restingScroll, scrolledBy } from './screen.js';

/** What the system under test says, by case; `pass` is what its grader wants. */
interface Answers {
  readonly [id: string]: {
    readonly says: unknown;
    readonly pass: boolean;
    readonly dataset?: string;
  };
}

const evals = `
import { readFileSync } from 'node:fs';
import { evaluation } from 'assay';
const answers = JSON.parse(readFileSync(new URL('./answers.json', import.meta.url), 'utf8'));
export const all = Object.entries(answers).map(([name, { says, pass, dataset }]) =>
  evaluation({
    name,
    dataset: dataset ?? 'orders',
    input: 'ask ' + name,
    target: () => says,
    evaluators: [() => ({ key: 'exact', passed: pass })],
  }),
);
`;

const filler = Object.fromEntries(
  Array.from({ length: 150 }, (_, n) => [`filler_${n}`, { says: `Filler ${n}`, pass: true }]),
);
const asBefore = { says: { eligible: false }, pass: false, dataset: 'refunds' };
const base: Answers = {
  kept: { says: 'The same words', pass: true },
  'cancel[late]': { says: 'I cannot cancel it, it has left.', pass: true },
  refund: asBefore,
  gone: { says: 'only here', pass: true },
  ...filler,
};
const other: Answers = {
  'cancel[late]': { says: 'I have cancelled it, it has left.', pass: false },
  refund: { says: { eligible: true }, pass: true, dataset: 'refunds' },
  kept: { says: 'The same words', pass: true },
  fresh: { says: 'only there', pass: true },
  ...filler,
};

describe('compare page', function () {
  this.timeout(120_000);
  let served: ServedProject;
  let ids: { readonly base: string; readonly other: string; readonly third: string };
  const kept = keepPage(() => served.url);

  before(async () => {
    served = await ServedProject.start(
      { 'evals/a.eval.ts': evals, 'evals/answers.json': JSON.stringify(base) },
      { ui: builtUi, paths: ['evals'] },
    );
    const first = await served.runAll();
    const next = async (name: string, answers: Answers): Promise<string> => {
      served.project.write('evals/answers.json', JSON.stringify(answers));
      await served.post('/api/server/restart');
      await served.post('/api/runs/new?wait=true', { run_name: name });
      return (await served.active()).run_id;
    };
    ids = {
      base: first.run_id,
      other: await next('other', other),
      third: await next('third', { ...other, refund: asBefore }),
    };
  });

  const two = () => `run=${ids.base}&run=${ids.other}`;
  const three = () => `${two()}&run=${ids.third}`;
  const open = async (query: string, options?: PageOptions): Promise<Page> => {
    const page = await kept.open(`/compare?${query}`, options);
    await page.getByRole('heading', { level: 1, name: /^Compare/ }).waitFor();
    return page;
  };
  const rowsOf = (page: Page) => page.locator('[role=rowgroup] > [role=row]');
  const row = (page: Page, name: string) =>
    rowsOf(page).filter({ has: page.getByTitle(`evals/a.eval.ts::${name}`, { exact: true }) });
  const count = (page: Page) => page.locator('nav [role=status]').innerText();
  const until = (page: Page, part: string) =>
    page.waitForURL((url) => decodeURIComponent(url.search).includes(part));

  it('pairs by id, not by position, begins with what regressed, and says what may be chance', async () => {
    const page = await open(two());
    await rowsOf(page).first().waitFor();
    expect(await count(page)).to.equal('155 of 155 pairs');
    const first = await rowsOf(page).first().innerText();
    expect(first).to.contain('cancel[late]').and.to.contain('regressed');
    expect(await row(page, 'refund').innerText()).to.contain('fixed');
    expect(await page.getByRole('button', { name: '1 regressed in B' }).innerText()).to.equal('1');
    expect(await page.getByRole('button', { name: '2 only in one in B' }).innerText()).to.equal(
      '2',
    );
    expect(await page.getByRole('table', { name: 'Usage by run' }).count()).to.equal(0);
    await page.getByText(/Passes .* → .* % over 153 pairs \(.*\): too little data/).waitFor();
    await page.getByRole('button', { name: 'All differences' }).click();
    const dialog = page.getByRole('dialog', { name: 'Differences from A' });
    expect(await dialog.getByRole('row', { name: /^exact/ }).innerText()).to.contain('153');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('says which run an evaluation is in', async () => {
    const page = await open(`${three()}&change=only_base&change=only_other`);
    expect(await row(page, 'gone').innerText())
      .to.contain('only in A')
      .and.contain('not in this run');
    expect(await row(page, 'fresh').innerText()).to.contain('only in B and C');
    expect(await rowsOf(page).count()).to.equal(2);
    // A pill counts a pair once, in however many runs it is so.
    const regressed = page.locator('nav').getByRole('button', { name: /^regressed/ });
    await regressed.getByText('1', { exact: true }).waitFor();
  });

  it('shows outputs as what differs by words, or as they are, and sorts by what a score changed by', async () => {
    const page = await open(two());
    const cancel = row(page, 'cancel[late]');
    expect(await cancel.locator('del').innerText()).to.equal('cannot cancel');
    expect(await cancel.locator('ins').innerText()).to.equal('have cancelled');
    await page.keyboard.press('d');
    await until(page, 'diff=off');
    await cancel.getByText('I have cancelled it, it has left.').waitFor();
    expect(await cancel.locator('del').count()).to.equal(0);
    await page.getByRole('button', { name: 'exact', exact: true }).click();
    await until(page, 'sort=score:exact');
    const first = (name: string) => page.locator(`[data-index="0"] [title$="::${name}"]`).waitFor();
    await first('cancel[late]');
    await page.getByRole('button', { name: 'by exact' }).click();
    await page.getByRole('menuitem', { name: 'Reverse order' }).click();
    await first('refund');
  });

  it('a number of the summary filters by it, and the address keeps that', async () => {
    const page = await open(three());
    await page.getByRole('button', { name: '1 fixed in B' }).click();
    await until(page, 'change=fixed:1');
    await page.locator('nav').getByText('1 of 155').waitFor();
    await page.reload();
    await row(page, 'refund').waitFor();
    const cell = page.getByRole('button', { name: '1 fixed in B' });
    expect(await cell.getAttribute('aria-pressed')).to.equal('true');
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.locator('nav').getByText('155 of 155').waitFor();
    await page.goBack();
    await page.locator('nav').getByText('1 of 155').waitFor();
  });

  it('runs are put in another order, taken away and added', async () => {
    const page = await open(two());
    await page.getByRole('button', { name: /^Run B, other/ }).click();
    await page.getByRole('menuitem', { name: /Make it the base/ }).click();
    await until(page, `run=${ids.other}&run=${ids.base}`);
    await row(page, 'cancel[late]').getByText('fixed').waitFor();
    await page.getByRole('button', { name: 'Add run' }).click();
    await page.getByRole('option', { name: /third/ }).click();
    await until(page, ids.third);
    await page.getByRole('columnheader', { name: 'third' }).waitFor();
    await page.getByRole('button', { name: 'Remove other' }).click();
    await page.waitForURL((url) => !url.search.includes(ids.other));
  });

  it('goes with keys: to a row, open and shut, to the result and back to the row', async () => {
    const page = await open(two());
    await rowsOf(page).first().waitFor();
    await page.getByText('too little data').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const focused = page.locator('[role=row]:focus');
    expect(await focused.getAttribute('data-index')).to.equal('1');
    await page.keyboard.press(' ');
    await page
      .locator('[role=row][aria-expanded=true]')
      .getByText('Open the result')
      .first()
      .waitFor();
    await page.keyboard.press('End');
    await page.locator('[role=row][data-index="154"]:focus').waitFor();
    expect(await rowsOf(page).count()).to.be.lessThan(60);
    const scrolled = await restingScroll(page, 20);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/runs\/\w+\/results\/\d+/);
    await page.goBack();
    await page.locator('[role=row][data-index="154"]:focus').waitFor();
    await eventually(
      () => scrolledBy(page),
      (at) => Math.abs(at - scrolled) < 4,
      `scrolled to ${scrolled}`,
    );
    await page.keyboard.press('k');
    expect(await focused.getAttribute('data-index')).to.equal('153');
  });

  it('a change elsewhere shows up', async () => {
    const page = await open(`run=${ids.base}&run=${ids.third}&search=kept`);
    await row(page, 'kept').getByText('same', { exact: true }).waitFor();
    const { rows } = (await served.get(`/api/runs/${ids.third}/rows?search=kept`)).body;
    const grade = (passed: boolean) =>
      served.patch(`/api/runs/${ids.third}/results/${rows[0].index}`, {
        result: { scores: [{ key: 'exact', passed }] },
      });
    try {
      await grade(false);
      await row(page, 'kept').getByText('regressed').waitFor();
    } finally {
      await grade(true);
    }
    await row(page, 'kept').getByText('same', { exact: true }).waitFor();
  });

  it('is shapes until the pairs are read, and shows them before the figures are worked out', async () => {
    const page = await kept.blank();
    const showFigures = await holdBack(page, '**/api/compare?**');
    const showPairs = await holdBack(page, '**/api/compare/**');
    await page.goto(`${served.url}/compare?${two()}`);
    const shapes = page.locator('main [aria-busy=true]').getByText('Reading the comparison');
    await shapes.waitFor({ state: 'attached' });
    await page.getByRole('link', { name: 'Results esc' }).waitFor();
    showPairs();
    await row(page, 'refund').getByText('fixed').waitFor();
    expect(await shapes.count()).to.equal(0);
    const bars = page.getByRole('table', { name: 'Scores by run' });
    await bars.getByRole('button', { name: 'exact' }).waitFor();
    expect(await page.getByText('too little data').count()).to.equal(0);
    const top = await page.evaluate<number>('document.querySelector("nav").offsetTop');
    showFigures();
    await page.getByText(/Passes .*: too little data/).waitFor();
    const moved = await page.evaluate<number>('document.querySelector("nav").offsetTop');
    expect(Math.abs(moved - top)).to.be.at.most(24);
  });

  it('j and k in a result walk the pairs in their order, each in the run one is in while it is there', async () => {
    const page = await open(`${two()}&sort=score:exact`);
    const title = page.getByRole('heading', { level: 1 });
    const names = await Promise.all(
      [0, 1, 2].map((n) =>
        page.locator(`[role=row][data-index="${n}"] [title*="::"]`).first().getAttribute('title'),
      ),
    );
    const [first = '', second = '', third = ''] = names.map((name) => name?.split('::')[1]);
    const shows = (name: string) => title.filter({ hasText: name }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await shows(second);
    const run = new URL(page.url()).pathname.split('/')[2];
    await page.getByText('2 of 155 pairs').waitFor();
    await page.keyboard.press('j');
    await shows(third);
    expect(new URL(page.url()).pathname.split('/')[2]).to.equal(run);
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    await shows(first);
    await page.reload();
    await page.getByText('1 of 155 pairs').waitFor();
    await page.getByRole('link', { name: 'Compare esc' }).waitFor();
    await page.keyboard.press('Escape');
    await until(page, 'sort=score:exact');
    await row(page, first).waitFor();
  });

  it('one run, an unknown run and no match say what to do', async () => {
    const page = await open(`run=${ids.base}`);
    await page.getByRole('option', { name: /other/ }).click();
    await until(page, two());
    await page.goto(`${served.url}/compare?run=${ids.base}&run=nope&run=${ids.other}`);
    await page.getByRole('heading', { name: 'No run nope' }).waitFor();
    await page.getByRole('button', { name: 'Go on without' }).click();
    await rowsOf(page).first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('nothing is so');
    await page.getByRole('heading', { name: 'No pair matches' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await rowsOf(page).first().waitFor();
  });

  it('has no pills that select nothing, and says of what is the same neither chance nor config', async () => {
    const same = (await served.post('/api/runs/new?wait=true', { run_name: 'same' })).body.run_id;
    const page = await open(`run=${ids.third}&run=${same}`);
    await page.getByText('The results are identical').waitFor();
    const filters = page.getByRole('navigation', { name: 'Filters' });
    await filters.getByRole('button', { name: /^same 154/ }).waitFor();
    expect(
      await filters.getByRole('button', { name: /^(regressed|fixed|changed|only)/ }).count(),
    ).to.equal(0);
    await page.getByText(/Passes as often: .* over 154 pairs/).waitFor();
    expect(await page.getByText('too little data').count()).to.equal(0);
    expect(await page.getByTitle('Run config default').count()).to.equal(0);
    await goWithin(page, `/compare?run=${ids.third}&run=${same}&change=regressed`);
    await page.getByText('No pair matches').waitFor();
    expect(await page.getByText('The results are identical').count()).to.equal(0);
  });
});
