import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { builtUi, closePages } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';
import { holdBack, rowNames, rowOf, untilShown } from './screen.js';
import { openTable } from './table-project.js';

const evals = `
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { evaluation } from 'assay';
export const answer = evaluation({
  cases: Array.from({ length: 12 }, (_, n) => ({ id: 'n' + n, input: n })),
  target: async (ctx) => {
    while (existsSync(new URL('hold', import.meta.url)) && !ctx.signal.aborted) await delay(10);
    return 'Reply ' + ctx.input;
  },
}, (ctx) => {
  ctx.score('exact', ctx.input % 2 === 0);
  ctx.score('size', 12 - ctx.input);
});
`;

describe('the row that has the focus', () => {
  let served: ServedProject;
  let page: Page;
  let faults: string[];

  const open = async (path?: string) => {
    ({ page, faults } = await openTable(served, path));
  };
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const focused = () => page.locator('[role=row]:focus [role=rowheader] a').innerText();
  const score = (index: number, scores: object) =>
    served.patch(`/api/runs/latest/results/${index}`, { result: { scores } });

  before(async () => {
    served = await ServedProject.start({ 'a.eval.ts': evals }, { ui: builtUi });
  });
  // Tests change scores.
  beforeEach(async () => {
    await served.post('/api/runs/new?wait=true', {});
  });
  afterEach(async () => {
    expect(faults).to.deep.equal([]);
    await closePages();
  });

  it('is kept when other rows take the place of all, and keys count for those before they are there', async () => {
    await open();
    await press('j', 'j', 'j', 'j');
    expect(await focused()).to.equal('answer[n3]');
    const letGo = await holdBack(page, /sort=score/);
    await page.evaluate(`
      history.pushState(null, '', '/?sort=score%3Asize')
    `);
    await press('j', 'j');
    letGo();
    await page.locator('[role=grid][aria-busy=false]').waitFor();
    expect((await rowNames(page))[0]).to.equal('answer[n11]');
    expect(await focused()).to.equal('answer[n9]');
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'answer[n9]' }).waitFor();
  });

  it('is that of the result that moves', async () => {
    await open('/?sort=score%3Asize');
    await press('j', 'j', 'j');
    expect(await focused()).to.equal('answer[n9]');
    await score(9, [
      { key: 'exact', passed: false },
      { key: 'size', value: 7.5 },
    ]);
    await page.locator('[role=row]:focus').getByText('7.5').waitFor();
    await page.locator('[role=row][aria-rowindex="8"]:focus').waitFor();
    expect(await focused()).to.equal('answer[n9]');
    await press('k');
    expect(await focused()).to.equal('answer[n5]');
  });

  it('is the next one when the result leaves the view, and the last one when that was the last', async () => {
    await open('/?status=failed');
    await press('j', 'j');
    expect(await focused()).to.equal('answer[n3]');
    await score(3, [{ key: 'exact', passed: true }]);
    await untilShown(page, '5 of 12');
    expect(await focused()).to.equal('answer[n5]');
    await press('End');
    expect(await focused()).to.equal('answer[n11]');
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'answer[n11]' }).waitFor();
    await score(11, [{ key: 'exact', passed: true }]);
    await page.getByText('Correction history').waitFor();
    await press('Escape');
    await untilShown(page, '4 of 12');
    expect(await focused()).to.equal('answer[n9]');
  });

  it('is there again when the reader goes back before the result has been read', async () => {
    await open();
    await press('j', 'j', 'j');
    const letGo = await holdBack(page, /\/api\/runs\/\w+\/results\//);
    const [asked] = await Promise.all([page.waitForRequest(/\/results\/2(\?|$)/), press('Enter')]);
    await press('Escape');
    await rowOf(page, 'answer[n2]').waitFor();
    expect(await focused()).to.equal('answer[n2]');
    letGo();
    await asked.response();
  });

  it('stays where it is when the reader goes to something else', async () => {
    await open();
    await press('j', 'j', '/');
    await page.keyboard.type('n5');
    await rowOf(page, 'answer[n1]').waitFor({ state: 'detached' });
    expect(await page.locator('input:focus').inputValue()).to.equal('n5');
  });
});
