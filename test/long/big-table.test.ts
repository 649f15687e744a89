import { expect } from 'chai';
import { builtUi } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';
import { serveKept } from '../ui/kept-page.js';
import { eventually, rowNames, rowOf, untilShown } from '../ui/screen.js';

const evals = `
import { evaluation } from 'assay';
const cases = (n) => Array.from({ length: n }, (_, i) => ({ id: 'c' + i, input: 'Question ' + i }));
export const single = evaluation({ dataset: 'single', cases: cases(9000), target: ({ input }) => 'Answer to ' + input },
  (ctx) => { ctx.score('good', !ctx.caseId.endsWith('7')); });
export const thrice = evaluation({ dataset: 'tried', trials: 5, cases: cases(200), target: (ctx) => 'Try ' + ctx.trial },
  (ctx) => { ctx.score('good', ctx.trial !== 3); });
`;

describe('a run of 10,000 results', function () {
  this.timeout(120_000);
  const at = serveKept(async () => {
    const served = await ServedProject.start({ 'many.eval.ts': evals }, { ui: builtUi });
    const { total_evaluations } = await served.runAll();
    expect(total_evaluations).to.equal(10_000);
    return served;
  });

  const inPage = () => at.page.locator('[role=row][data-line]').count();
  /** Rows in sight that have not been read. */
  const blanks = () =>
    at.page.evaluate<number>(`
      [...document.querySelectorAll('[role=row][aria-busy=true]')]
        .map((row) => row.getBoundingClientRect())
        .filter(({ top, bottom }) => bottom > 0 && top < innerHeight).length`);

  it('scrolls from end to end with a window of rows in the page', async () => {
    const page = await at.open();
    await untilShown(page, '10,000 of 10,000');
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).to.equal('9201');
    const height = await page.evaluate<number>('document.documentElement.scrollHeight');
    expect(height).to.be.greaterThan(9200 * 28);
    for (const part of [0.25, 0.5, 0.9]) {
      await page.evaluate(`scrollTo(0, ${Math.round(height * part)})`);
      const at = Math.round((height * part) / 28);
      const near = (names: string[]) =>
        names.some((name) => Math.abs(Number(/c(\d+)\]$/.exec(name)?.[1]) - at) < 60);
      await eventually(() => rowNames(page), near, `rows near ${at}`);
      await eventually(blanks, (count) => count === 0, 'blank rows');
      expect(await inPage()).to.be.lessThan(110);
    }
    await page.keyboard.press('j');
    await page.keyboard.press('End');
    await rowOf(page, 'thrice[c199]').waitFor();
    await page.keyboard.press('Home');
    await rowOf(page, 'single[c0]').waitFor();
  });

  it('is searched, and selected as far as it matches', async () => {
    const page = await at.open();
    const search = page.getByRole('textbox', { name: 'Search' });
    await search.fill('Question 8999');
    await untilShown(page, '1 of 10,000');
    await rowOf(page, 'single[c8999]').waitFor();
    await search.fill('');
    await page.getByTitle('Show where good failed').click();
    await untilShown(page, '1,100 of 10,000');
    await page.getByRole('checkbox', { name: 'Select all that match' }).click();
    await page.getByRole('button', { name: 'Rerun 1,100 selected' }).waitFor();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Select all that match' }).click();
    await page.getByRole('button', { name: 'Rerun 10,000 selected' }).waitFor();
    await page.getByRole('checkbox', { name: 'Select none' }).click();
    await page.getByRole('button', { name: /selected$/ }).waitFor({ state: 'detached' });
  });

  it('does what keys ask of a row when the row has been read', async () => {
    const page = await at.blank();
    await page.goto(at.served.url);
    await rowOf(page, 'single[c0]').waitFor();
    let letGo = () => {};
    const asked = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route(/\/rows\?.*offset=[1-9]/, async (route) => {
      await asked;
      await route.continue();
    });
    await page.keyboard.press('j');
    await page.keyboard.press('End');
    await page.locator('[role=row][aria-busy=true]:focus').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('x');
    await page.keyboard.press('ArrowRight');
    letGo();
    await rowOf(page, '~5').waitFor();
    await page.getByRole('button', { name: 'Rerun 5 selected' }).waitFor();
  });

  it('opens and folds rows far down, and keeps them open out of sight', async () => {
    const page = await at.open();
    await page.keyboard.press('j');
    await page.keyboard.press('End');
    const last = rowOf(page, 'thrice[c199]');
    await last.getByText('4/5 flaky').waitFor();
    await page.keyboard.press('ArrowRight');
    await rowOf(page, '~5').waitFor();
    await rowOf(page, '~3').getByText('Try 3').waitFor();
    await page.keyboard.press('Home');
    await rowOf(page, 'single[c0]').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByText('many.eval.ts::single[c0]').waitFor();
    await page.keyboard.press('End');
    await rowOf(page, '~5').waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await rowOf(page, '~5').waitFor({ state: 'detached' });
    await page.keyboard.press('Home');
    await page.getByText('many.eval.ts::single[c0]').waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByText('many.eval.ts::single[c0]').waitFor({ state: 'detached' });
  });

  // Last: what comes before is of the only run.
  it('scrolls in a matrix like on its own page', async () => {
    const { run_id: first } = await at.served.active();
    await at.served.post('/api/runs/new?wait=true', {});
    const { run_id: second } = await at.served.active();
    const page = await at.blank();
    await page.goto(`${at.served.url}/matrix?run=${first}&run=${second}`);
    await untilShown(page, '9,200 of 9,200 cases');
    const grid = page.getByRole('treegrid');
    // With the head and the lines of both datasets.
    expect(await grid.getAttribute('aria-rowcount')).to.equal('9203');
    const named = (name: string) => grid.getByTitle(`many.eval.ts::${name}`, { exact: true });
    for (const name of ['c2000', 'c8500']) {
      await page.evaluate(`scrollTo(0, ${Number(name.slice(1)) * 28})`);
      await named(`single[${name}]`).waitFor();
      expect(await grid.getByRole('row').count()).to.be.lessThan(110);
    }
    await page.keyboard.press('j');
    await page.keyboard.press('End');
    await named('thrice[c199]').waitFor();
    await page.keyboard.press('Home');
    await named('single[c0]').waitFor();
  });
});
