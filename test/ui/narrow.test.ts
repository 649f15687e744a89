import { expect } from 'chai';
import { builtUi } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';
import { servePages } from './served-pages.js';

const evals = `
import { evaluation } from 'assay';
export const a = evaluation({ cases: [1, 2].map((input) => ({ input })) }, (ctx) => ctx.score('a', ctx.input > 1));
`;

describe('pages of 700 pixels', function () {
  this.timeout(120_000);
  const ids: string[] = [];
  const at = servePages(async () => {
    const served = await ServedProject.start({ 'a.eval.ts': evals }, { ui: builtUi });
    ids.push((await served.runAll()).run_id);
    await served.post('/api/runs/new?wait=true', {});
    ids.push((await served.active()).run_id);
    return served;
  });

  it('have a ruler whose numbers stand apart', async () => {
    const page = await at.open('/', { width: 700 });
    const numbers = page.getByRole('columnheader', { name: '0 to 100' }).locator('span:visible');
    const boxes = await Promise.all((await numbers.all()).map((one) => one.boundingBox()));
    expect(boxes.length).to.be.at.least(3);
    for (const [n, box] of boxes.entries()) {
      const before = boxes[n - 1];
      if (box && before) expect(box.x).to.be.above(before.x + before.width);
    }
  });

  it('have the whole bar of a comparison in sight', async () => {
    const page = await at.open('/', { width: 700 });
    await page.goto(`${at.served.url}/compare?run=${ids[0]}&run=${ids[1]}`);
    const box = await page.getByRole('button', { name: /Add run/ }).boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 1000)).to.be.at.most(700);
  });

  it('call identical runs identical, unless they are filtered', async () => {
    const page = await at.open('/', { width: 700 });
    const compare = `${at.served.url}/compare?run=${ids[0]}&run=${ids[1]}`;
    await page.goto(compare);
    await page.getByText('The results are identical: 2 pairs').waitFor();
    await page.goto(`${compare}&change=regressed`);
    await page.getByText('No pair matches').waitFor();
    expect(await page.getByText('The results are identical').count()).to.equal(0);
  });
});
