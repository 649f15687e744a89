import { expect } from 'chai';
import { servePages } from './served-pages.js';
import { serveMany } from './table-project.js';

describe('colours that the system forces', function () {
  this.timeout(120_000);
  const at = servePages(serveMany);

  it('leave latencies and switches of a comparison in sight', async () => {
    const { served } = at;
    const first = await served.activeId();
    const second = (await served.post('/api/runs/new?wait=true', {})).body.run_id;
    const page = await at.open(`/?run=${first}`);
    await page.emulateMedia({ forcedColors: 'active' });
    await page.goto(`${served.url}/compare?run=${first}&run=${second}`);
    const latencies = page.getByRole('table', { name: 'Latency by run' });
    await latencies.waitFor();
    const canvas = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const colors = await page.evaluate<string[]>(`
      [...document.querySelectorAll('[aria-label="Latency by run"] [role=cell]:has(i), [aria-label="Latency by run"] :is(i, em)')]
        .map((bar) => getComputedStyle(bar).backgroundColor)`);
    expect(colors).to.have.length(6);
    expect(new Set(colors).size).to.be.above(2);
    expect(colors).not.to.include(canvas);
    const knob = () =>
      page.evaluate<string>(
        "getComputedStyle(document.querySelector('[role=switch] i')).backgroundColor",
      );
    const on = await knob();
    await page.getByRole('switch', { name: 'Word diff' }).click();
    await page.locator('[role=switch][aria-checked=false]').waitFor();
    expect(await knob()).not.to.equal(on);
  });

  it('leave bars of counts and of scores in sight', async () => {
    const page = await at.open('/');
    await page.emulateMedia({ forcedColors: 'active' });
    await page.getByRole('table', { name: 'Scores' }).waitFor();
    const colors = await page.evaluate<string[]>(`
      [...document.querySelectorAll('[role=img] > i, [role=table] [role=cell] i')]
        .map((bar) => getComputedStyle(bar).backgroundColor)`);
    const canvas = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    expect(colors.length).to.be.above(4);
    expect(new Set(colors).size).to.be.above(3);
    expect(colors.every((color) => color !== canvas || color === 'rgba(0, 0, 0, 0)')).to.equal(
      true,
    );
  });

  it('leave the boxes of letters of runs, in their colours', async () => {
    const { served } = at;
    const first = await served.activeId();
    const second = (await served.post('/api/runs/new?wait=true', {})).body.run_id;
    const page = await at.open(`/?run=${first}`);
    await page.emulateMedia({ forcedColors: 'active' });
    await page.goto(`${served.url}/compare?run=${first}&run=${second}`);
    await page.getByRole('table', { name: 'Latency by run' }).waitFor();
    const colorOf = (selector: string) =>
      page.evaluate<string>(
        `getComputedStyle(document.querySelector('${selector}')).backgroundColor`,
      );
    const letters = await Promise.all(
      ['A', 'B'].map((letter) => colorOf(`[role=img][aria-label="run ${letter}"]`)),
    );
    expect(new Set([...letters, await colorOf('body')]).size).to.equal(3);
  });

  it('leave what differs from a reference apart: underlined, or struck through', async () => {
    const { served } = at;
    const run = await served.activeId();
    const page = await at.open();
    await page.emulateMedia({ forcedColors: 'active' });
    const { body } = await served.get(`/api/runs/${run}/rows?status=failed&limit=1`);
    await page.goto(`${served.url}/runs/${run}/results/${body.rows[0].index}`);
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
  });

  it('leave values on their scale in sight, and what is chosen apart from what is not', async () => {
    const { served } = at;
    const run = await served.activeId();
    const page = await at.open();
    await page.emulateMedia({ forcedColors: 'active' });
    const { body } = await served.get(`/api/runs/${run}/rows?status=failed&limit=1`);
    await page.goto(`${served.url}/runs/${run}/results/${body.rows[0].index}`);
    const scores = page.getByRole('region', { name: 'Scores', exact: true });
    await scores.getByText('size').waitFor();
    const [scale, value, canvas] = await page.evaluate<string[]>(`(() => {
      const value = [...document.querySelectorAll('aside i')].find((one) => one.style.left !== '');
      return [value.parentElement, value, document.body].map((one) => getComputedStyle(one).backgroundColor);
    })()`);
    expect(new Set([scale, value, canvas]).size).to.equal(3);
    const lines = await page.evaluate<string[]>(
      `[...document.querySelectorAll('[aria-pressed]')].map((one) => one.ariaPressed + ' ' + getComputedStyle(one).textDecorationLine)`,
    );
    expect(new Set(lines)).to.deep.equal(new Set(['true underline', 'false none']));
  });
});
