import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { builtUi, closePages } from '../helpers/browser.js';
import { removeProjects } from '../helpers/project.js';
import { closeServers, ServedProject } from '../helpers/served-project.js';
import { open, orders, part } from './result-project.js';

const hostile = [
  '<script>window.hit = 1</script>',
  '<img src=x onerror="window.hit = 1">',
  '<svg/onload=window.hit=1>',
  '[link](javascript:window.hit=1) **b**',
  '![picture](http://elsewhere.invalid/a.png)',
  '<iframe src="javascript:parent.hit=1"></iframe>',
  '</textarea><script>window.hit = 1</script>',
  'data:text/html,<script>window.hit = 1</script>',
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="parent.hit=1"/>',
  '\u202Egnp.exe\u202C and \u0000\u0007\u001b[31m',
  '<style>body { display: none }</style>',
  '<a href="javascript:window.hit=1" onclick="window.hit=1">x</a>',
  '[x]: javascript:window.hit=1\n\n[x]\n\n- a\n- b',
  '# <b onmouseover=window.hit=1>title</b>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is meant to be one
  '`${window.hit = 1}` {{constructor.constructor("window.hit=1")()}}',
  '"><script src=//elsewhere.invalid/x.js></script>',
];

const evals = `
import { evaluation } from 'assay';
const hostile = ${JSON.stringify(hostile)};
export const all = evaluation({
  dataset: hostile[0], labels: [hostile[1]], metadata: { [hostile[2]]: hostile[1], deep: { [hostile[0]]: hostile } },
  cases: hostile.map((text, n) => ({ id: String(n), input: text, reference: { [text]: text } })),
  target: (ctx) => {
    console.log(ctx.input);
    ctx.traceData.traceUrl = 'javascript:window.hit=1';
    ctx.traceData.messages = [
      { role: ctx.input, content: ctx.input },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'http://elsewhere.invalid/b.png' } }] },
      { role: 'assistant', tool_calls: [{ function: { name: ctx.input, arguments: ctx.input } }] },
    ];
    return ctx.input;
  },
}, (ctx) => {
  ctx.score({ key: ctx.input.slice(0, 150), passed: false, notes: ctx.input });
  if (Number(ctx.caseId) % 5 === 4) throw new Error(ctx.input);
});
`;

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds that is serious. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

describe('the page of a result with anything in it', () => {
  after(async () => {
    await closePages();
    await closeServers();
    removeProjects();
  });

  it('does nothing that hostile texts ask for', async function () {
    this.timeout(60_000);
    const served = await ServedProject.start({ 'all.eval.ts': evals }, { ui: builtUi });
    const { run_id: run } = await served.runAll();
    const { page, faults } = await open(served, `/runs/${run}/results/0`);
    const elsewhere: string[] = [];
    let dialogs = 0;
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(served.url) && !url.startsWith('data:')) elsewhere.push(url);
    });
    page.on('dialog', (dialog) => {
      dialogs++;
      void dialog.dismiss();
    });
    await served.patch(`/api/runs/${run}/results/0`, { result: { annotation: hostile[1] } });
    for (const [n, text] of hostile.entries()) {
      await page.getByText(`${n + 1} of ${hostile.length} results`).waitFor();
      await part(page, 'Scores').waitFor();
      if (n === 1) await page.keyboard.press('d');
      const links = await page.evaluate<string[]>(
        '[...document.querySelectorAll("a")].map(({ protocol }) => protocol)',
      );
      expect(links, text).to.satisfy((all: string[]) => all.every((one) => /^https?:$/.test(one)));
      const raw = part(page, 'Input').getByRole('button', { name: 'Raw' });
      if (await raw.isVisible()) await raw.click();
      await page.keyboard.press('j');
    }
    expect(await page.evaluate('window.hit')).to.equal(undefined);
    expect({ dialogs, elsewhere, faults }).to.deep.equal({ dialogs: 0, elsewhere: [], faults: [] });
  });

  for (const theme of ['light', 'dark'] as const) {
    it(`has nothing that axe finds serious, ${theme}`, async function () {
      this.timeout(60_000);
      const served = await ServedProject.start({ 'orders.eval.ts': orders }, { ui: builtUi });
      const { run_id: run } = await served.runAll();
      await served.patch(`/api/runs/${run}/results/1`, {
        result: { annotation: 'why', scores: [{ key: 'correct', passed: true }] },
      });
      for (const width of [1440, 400]) {
        const { page } = await open(served, `/runs/${run}/results/1`, { theme, width });
        await part(page, 'Correction history').waitFor();
        await page.keyboard.press('d');
        expect(await findings(page)).to.deep.equal([]);
        await page.getByRole('button', { name: 'Edit correct' }).click();
        expect(await findings(page)).to.deep.equal([]);
        const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
        expect(isWide, `scrolls sideways at ${width} px`).to.equal(false);
        for (const index of [2, 3, 4]) {
          await page.goto(`${served.url}/runs/${run}/results/${index}`);
          await part(page, 'Scores').waitFor();
          expect(await findings(page)).to.deep.equal([]);
        }
      }
    });
  }
});
