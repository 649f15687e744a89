import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { serveKept } from './kept-page.js';
import { goWithin } from './screen.js';
import { serveMany } from './table-project.js';

describe('colours that the system forces', function () {
  this.timeout(120_000);
  const at = serveKept(serveMany);

  const open = async (): Promise<Page> => {
    const page = await at.open();
    await page.emulateMedia({ forcedColors: 'active' });
    return page;
  };
  const colorsOf = (selector: string) =>
    at.page.evaluate<string[]>(
      `[...document.querySelectorAll('${selector}')].map((one) => getComputedStyle(one).backgroundColor)`,
    );

  it('leave bars of counts and of scores in sight', async () => {
    const page = await open();
    await page.getByRole('table', { name: 'Scores' }).waitFor();
    const colors = await colorsOf('[role=img] > i, [role=table] [role=cell] i');
    const [canvas] = await colorsOf('body');
    expect(colors.length).to.be.above(4);
    expect(new Set(colors).size).to.be.above(3);
    expect(colors.every((color) => color !== canvas || color === 'rgba(0, 0, 0, 0)')).to.equal(
      true,
    );
  });

  it('leave letters of runs apart in a comparison', async () => {
    const first = await at.served.activeId();
    const second = (await at.served.post('/api/runs/new?wait=true', {})).body.run_id;
    const page = await open();
    await goWithin(page, `/compare?run=${first}&run=${second}`);
    await page.getByRole('table', { name: 'Latency by run' }).waitFor();
    const letters = ['A', 'B'].map(
      async (letter) => (await colorsOf(`[role=img][aria-label="run ${letter}"]`))[0],
    );
    const colors = [...(await Promise.all(letters)), ...(await colorsOf('body'))];
    expect(new Set(colors).size).to.equal(3);
  });

  it('leave in a result what differs apart, and what is chosen', async () => {
    const { served } = at;
    const run = await served.activeId();
    const page = await open();
    const { body } = await served.get(`/api/runs/${run}/rows?status=failed&limit=1`);
    await goWithin(page, `/runs/${run}/results/${body.rows[0].index}`);
    await page.getByRole('region', { name: 'Reference', exact: true }).waitFor();
    await page.keyboard.press('d');
    const lineOf = async (region: string) => {
      const mark = page.getByRole('region', { name: region, exact: true }).locator('mark').first();
      await mark.waitFor();
      return page.evaluate<string>(
        `getComputedStyle([...document.querySelectorAll('mark')].find((one) => one.closest('section').textContent.startsWith('${region}'))).textDecorationLine`,
      );
    };
    expect(await lineOf('Output')).to.equal('underline');
    expect(await lineOf('Reference')).to.equal('line-through');
    await page.keyboard.press('d');
    await page.locator('[aria-pressed=true]').first().waitFor();
    const lines = await page.evaluate<string[]>(
      `[...document.querySelectorAll('[aria-pressed]')].map((one) => one.ariaPressed + ' ' + getComputedStyle(one).textDecorationLine)`,
    );
    expect(new Set(lines)).to.deep.equal(new Set(['true underline', 'false none']));
  });
});
