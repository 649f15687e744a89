import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { goWithin } from './screen.js';
import { serveOnePage } from './served-pages.js';
import { serveMany } from './table-project.js';

describe('colours that the system forces', function () {
  this.timeout(120_000);
  const at = serveOnePage(serveMany);

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

  it('leave latencies, letters of runs and switches of a comparison in sight', async () => {
    const { served } = at;
    const first = await served.activeId();
    const second = (await served.post('/api/runs/new?wait=true', {})).body.run_id;
    const page = await open();
    await goWithin(page, `/compare?run=${first}&run=${second}`);
    await page.getByRole('table', { name: 'Latency by run' }).waitFor();
    const [canvas] = await colorsOf('body');
    const table = '[aria-label="Latency by run"]';
    const bars = await colorsOf(`${table} [role=cell]:has(i), ${table} :is(i, em)`);
    expect(bars).to.have.length(6);
    expect(new Set(bars).size).to.be.above(2);
    expect(bars).not.to.include(canvas);
    const letters = ['A', 'B'].map(
      async (letter) => (await colorsOf(`[role=img][aria-label="run ${letter}"]`))[0],
    );
    expect(new Set([...(await Promise.all(letters)), canvas]).size).to.equal(3);
    const knob = '[role=switch] i';
    const [on] = await colorsOf(knob);
    await page.getByRole('switch', { name: 'Word diff' }).click();
    await page.locator('[role=switch][aria-checked=false]').waitFor();
    expect((await colorsOf(knob))[0]).not.to.equal(on);
  });

  it('leave in a result what differs apart, values on their scale, and what is chosen', async () => {
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
    await page.locator('mark').first().waitFor({ state: 'detached' });
    const scores = page.getByRole('region', { name: 'Scores', exact: true });
    await scores.getByText('size').waitFor();
    const scale = await page.evaluate<string[]>(`(() => {
      const value = [...document.querySelectorAll('aside i')].find((one) => one.style.left !== '');
      return [value.parentElement, value, document.body].map((one) => getComputedStyle(one).backgroundColor);
    })()`);
    expect(new Set(scale).size).to.equal(3);
    const lines = await page.evaluate<string[]>(
      `[...document.querySelectorAll('[aria-pressed]')].map((one) => one.ariaPressed + ' ' + getComputedStyle(one).textDecorationLine)`,
    );
    expect(new Set(lines)).to.deep.equal(new Set(['true underline', 'false none']));
  });
});
