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
});
