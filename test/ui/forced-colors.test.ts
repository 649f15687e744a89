import { expect } from 'chai';
import { servePages } from './served-pages.js';
import { serveMany } from './table-project.js';

describe('colours that the system forces', function () {
  this.timeout(120_000);
  const at = servePages(serveMany);

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
