import { expect } from 'chai';
import { builtUi } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';
import { serveKept } from './kept-page.js';
import { looksWell } from './looks.js';

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
  ctx.score('size', ctx.input / 12);
  ctx.score('tone', ctx.input !== 5, 'too formal');
});
`;

describe('what results have in common', function () {
  this.timeout(120_000);
  const at = serveKept(async () => {
    const served = await ServedProject.start({ 'a.eval.ts': evals }, { ui: builtUi });
    await served.runAll();
    return served;
  });

  it('is a reason that leads by keyboard from the reason of many results to these in the table', async () => {
    const page = await at.open('/');
    const tab = page.getByRole('tab', { name: 'Reasons 3' });
    await tab.waitFor();
    await page.keyboard.press('t');
    const reasons = page.getByRole('treegrid', { name: 'Reasons' });
    const first = reasons.getByRole('row', { level: 1 }).first();
    await first.waitFor();
    expect(await first.innerText()).to.match(/^7\s/);
    expect(await first.innerText()).to.include('expected n days, got n');
    await looksWell(page, 'reasons', { inEach: true });
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

  it('is a reason of what the filters leave', async () => {
    const page = await at.open('/?status=error');
    await page.getByRole('tab', { name: 'Reasons 1' }).click();
    const reasons = page.getByRole('treegrid', { name: 'Reasons' });
    await reasons.getByText('TypeError').waitFor();
    await page.getByText('1 failing result, 1 reason').waitFor();
    expect(await reasons.getByRole('row', { level: 1 }).count()).to.equal(1);
  });

  it('is a range of numbers, brushed in a chart by keyboard or pointer', async () => {
    const page = await at.open('/?x=score:size');
    const panel = page.getByRole('region', { name: 'Chart of the results' });
    await panel.getByText('11 results have it; 1 without it').waitFor();
    const plot = panel.getByRole('group');
    await plot.focus();
    await page.keyboard.press('Enter');
    await panel.getByText(/^\d+ brushed$/).waitFor();
    await page.keyboard.press('Escape');
    await panel.getByText('Nothing is brushed').waitFor();
    const { x = 0, y = 0, width = 0 } = (await plot.boundingBox()) ?? {};
    await page.mouse.move(x + width / 2, y + 40);
    await page.mouse.down();
    await page.mouse.move(x + width + 40, y + 90);
    await page.mouse.up();
    await panel.getByText(/^[56] brushed$/).waitFor();
    expect(new URL(page.url()).searchParams.get('score')).to.match(/^size:0\.\d+\.\.$/);
    await page.getByText(/^[56] of 12$/).waitFor();
  });
});
