import { expect } from 'chai';
import { builtUi } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';
import { serveKept } from './kept-page.js';

const evals = `
import { evaluation } from 'assay';
export const stay = evaluation({
  cases: Array.from({ length: 12 }, (_, n) => ({ id: String(n), input: n })),
  target: ({ input }) => {
    if (input === 11) throw new TypeError('order 11 is gone');
    return input;
  },
}, (ctx) => {
  ctx.score('exact', ctx.input < 4, 'expected 30 days, got ' + ctx.input);
  ctx.score('tone', ctx.input !== 5, 'too formal');
});
`;

describe('the tab of reasons', function () {
  this.timeout(120_000);
  const at = serveKept(async () => {
    const served = await ServedProject.start({ 'a.eval.ts': evals }, { ui: builtUi });
    await served.runAll();
    return served;
  });

  it('leads by keyboard from the reason of many results to these in the table', async () => {
    const page = await at.open('/');
    const tab = page.getByRole('tab', { name: 'Reasons 3' });
    await tab.waitFor();
    await page.keyboard.press('t');
    const reasons = page.getByRole('treegrid', { name: 'Reasons' });
    const first = reasons.getByRole('row', { level: 1 }).first();
    await first.waitFor();
    expect(await first.innerText()).to.match(/^7\s/);
    expect(await first.innerText()).to.include('expected n days, got n');
    await first.focus();
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('Space');
    await reasons.getByRole('row', { level: 2 }).nth(4).waitFor();
    await reasons.getByText('expected 30 days, got 4').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('7 of 12', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('reason')).to.equal('exact=expected # days, got #');
    await page.getByText('exact: expected # days, got #').first().waitFor();
    await page.goBack();
    await reasons.waitFor();
  });

  it('is of what the filters leave', async () => {
    const page = await at.open('/?status=error');
    await page.getByRole('tab', { name: 'Reasons 1' }).click();
    const reasons = page.getByRole('treegrid', { name: 'Reasons' });
    await reasons.getByText('TypeError').waitFor();
    await page.getByText('1 failing result, 1 reason').waitFor();
    expect(await reasons.getByRole('row', { level: 1 }).count()).to.equal(1);
  });
});
