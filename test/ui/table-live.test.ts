import { expect } from 'chai';
import { builtUi } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';
import { eventually } from './screen.js';
import { openTable } from './table-project.js';

const slow = `
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { evaluation } from 'assay';
export const waits = evaluation({
  cases: [{ id: 'first', input: 1 }, { id: 'second', input: 2 }],
  target: async (ctx) => {
    while (ctx.input === 2 && !existsSync(new URL('go', import.meta.url))) await delay(20);
    return 'done ' + ctx.input;
  },
}, (ctx) => { ctx.score('exact', true); });
`;

/** Notes the rows of the page that are tinted, however short: a second may be over before anybody asks. */
const watchTints = `
globalThis.tinted = [];
new MutationObserver(() => {
  for (const row of document.querySelectorAll('[role=row][class*=changed]')) tinted.push(row.innerText);
}).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });`;

describe('the table while a run is in progress', () => {
  it('changes single rows, tints them for a second, and takes edits from elsewhere', async () => {
    const served = await ServedProject.start({ 'slow.eval.ts': slow }, { ui: builtUi });
    const { page, faults } = await openTable(served);
    const row = (name: string) =>
      page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
    expect(await row('waits[first]').innerText()).to.contain('not started');
    await page.getByRole('button', { name: 'Run 2' }).click();
    await row('waits[first]').getByText('done 1').waitFor();
    await row('waits[second]').getByRole('img', { name: 'running' }).waitFor();
    await page.evaluate(watchTints);
    served.project.write('go', '');
    await row('waits[second]').getByText('done 2').waitFor();
    await eventually(
      () => page.evaluate<readonly string[]>('tinted'),
      (texts) => texts.some((text) => text.includes('done 2')),
      'a tint',
    );
    const look = () => row('waits[second]').getAttribute('class');
    await eventually(look, (classes) => !classes?.includes('changed'), 'the end of the tint');
    await served.patch('/api/runs/latest/results/0', {
      result: { scores: [{ key: 'exact', passed: false }] },
    });
    await row('waits[first]').getByText('set by hand').waitFor({ state: 'attached' });
    expect(await look()).not.to.contain('changed');
    expect(faults).to.deep.equal([]);
  });
});
