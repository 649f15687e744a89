import { expect } from 'chai';
import { builtUi } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';
import { servePages } from './served-pages.js';

const evals = `
import { evaluation } from 'assay';
const ids = ['invoice_en_first_contact', 'invoice_de_first_contact', 'invoice_de_second_contact', 'short'];
export const escalate_on_request_after_two_failed_attempts = evaluation(
  { cases: ids.map((id) => ({ id, input: id })), target: ({ input }) => input },
  (ctx) => ctx.score('exact', true),
);
`;

describe('names', function () {
  this.timeout(120_000);
  const at = servePages(async () => {
    const served = await ServedProject.start({ 'a.eval.ts': evals }, { ui: builtUi });
    await served.runAll();
    return served;
  });

  it('keep the end that tells them apart, whatever the width', async () => {
    const page = await at.open('/', { width: 1440 });
    for (const width of [1440, 900, 700, 641, 400]) {
      await page.setViewportSize({ width, height: 900 });
      for (const [id, end] of [
        ['invoice_en_first_contact', 'en_first_contact]'],
        ['invoice_de_first_contact', 'de_first_contact]'],
        ['invoice_de_second_contact', 'second_contact]'],
      ]) {
        const name = `escalate_on_request_after_two_failed_attempts[${id}]`;
        const link = page.getByRole('link', { name, exact: true });
        await link.waitFor();
        expect(await link.innerText()).to.equal(name);
        const [outer, inner] = await Promise.all([
          link.boundingBox(),
          link.locator(`[data-text="${end}"]`).boundingBox(),
        ]);
        if (outer === null || inner === null) throw new Error(`${name} is not in sight`);
        expect(inner.width, `${id} at ${width}`).to.be.above(80);
        expect(inner.x, `${id} at ${width}`).to.be.at.least(outer.x);
        expect(inner.x + inner.width).to.be.at.most(outer.x + outer.width + 1);
      }
    }
  });

  it('are shown whole where they are cut, under the pointer and with the focus', async () => {
    const page = await at.open('/', { width: 1000 });
    const name = 'escalate_on_request_after_two_failed_attempts[invoice_de_second_contact]';
    const link = page.getByRole('link', { name, exact: true });
    const tip = page.locator('[role=tooltip]');
    await link.hover();
    await tip.filter({ hasText: name }).waitFor();
    const box = await tip.boundingBox();
    if (box === null) throw new Error('the whole text is not in sight');
    expect(box.x + box.width).to.be.at.most(1000);
    await page.keyboard.press('Escape');
    await tip.waitFor({ state: 'detached' });
    await page.mouse.move(0, 0);
    await page.keyboard.press('j');
    await tip.filter({ hasText: 'escalate_on_request' }).waitFor();
    await page.keyboard.press('j');
    await tip.waitFor({ state: 'detached' });
  });
});
