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
  this.timeout(60_000);
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
        expect(await link.locator('[title]').getAttribute('title')).to.equal(name);
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
});
