import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { closePages } from '../helpers/browser.js';
import { removeProjects } from '../helpers/project.js';
import { closeServers, type ServedProject } from '../helpers/served-project.js';
import { rowOf } from './screen.js';
import { openTable, serveMany } from './table-project.js';

describe('the table under the mouse', function () {
  this.timeout(60_000);
  let served: ServedProject;
  let page: Page;
  let faults: string[] = [];

  const head = (name: string) => page.getByRole('columnheader', { name });
  const boxOf = async (element: Locator) => {
    const box = await element.boundingBox();
    if (box === null) throw new Error('it is not in sight');
    return box;
  };
  const widthOf = async (name: string) => (await boxOf(head(name))).width;
  const drag = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move((from.x + to.x) / 2, to.y, { steps: 4 });
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.mouse.up();
  };
  const names = async () => (await page.getByRole('columnheader').allInnerTexts()).filter(Boolean);

  before(async () => {
    served = await serveMany();
  });
  beforeEach(async () => {
    ({ page, faults } = await openTable(served));
    await rowOf(page, 'answer[case_0]').waitFor();
  });
  afterEach(async () => {
    await closePages();
    expect(faults).to.deep.equal([]);
  });
  after(async () => {
    await closeServers();
    removeProjects();
  });

  it('gives a column the width it is dragged to, and its own at a double click', async () => {
    const [input, reference] = [await widthOf('Input'), await widthOf('Reference')];
    const { x, y, height } = await boxOf(head('Reference'));
    const edge = { x: x - 4, y: y + height / 2 };
    await drag(edge, { x: edge.x + 60, y: edge.y });
    expect(await widthOf('Input')).to.be.closeTo(input + 60, 2);
    expect(await widthOf('Reference')).to.be.closeTo(reference - 60, 2);
    await drag({ x: edge.x + 60, y: edge.y }, { x: edge.x + 2000, y: edge.y });
    expect(await widthOf('Reference')).to.be.closeTo(40, 1);
    await page.reload();
    await head('Reference').waitFor();
    const now = await boxOf(head('Reference'));
    expect(now.width).to.be.closeTo(40, 1);
    await page.mouse.dblclick(now.x - 4, edge.y);
    expect(await widthOf('Input')).to.be.closeTo(input, 2);
    expect(await widthOf('Reference')).to.be.closeTo(reference, 2);
  });

  it('puts a column where its name is dragged to, without sorting by it', async () => {
    const before = await names();
    const [latency, output] = [await boxOf(head('Latency')), await boxOf(head('Output'))];
    const y = latency.y + latency.height / 2;
    await drag(
      { x: latency.x + latency.width - 10, y },
      { x: output.x + output.width / 2 - 20, y },
    );
    const others = before.filter((name) => name !== 'Latency');
    const at = others.indexOf('Output');
    const wanted = [...others.slice(0, at), 'Latency', ...others.slice(at)];
    expect(await names()).to.deep.equal(wanted);
    expect(new URL(page.url()).searchParams.has('sort')).to.equal(false);
    await page.reload();
    await head('Latency').waitFor();
    expect(await names()).to.deep.equal(wanted);
  });

  it('expands, reruns and regrades the row it points at', async () => {
    const { run_id } = await served.active();
    const row = rowOf(page, 'answer[case_1]');
    const action = (name: string) => row.getByRole('button', { name, exact: true });
    await row.hover();
    await action('Expand').click();
    await page.getByText('many.eval.ts::answer[case_1]').waitFor();
    await action('Close details').click();
    await page.getByText('many.eval.ts::answer[case_1]').waitFor({ state: 'detached' });
    await served.patch(`/api/runs/${run_id}/results/1`, {
      result: { scores: [{ key: 'exact', passed: true }] },
    });
    await row.getByText('set by hand').waitFor({ state: 'attached' });
    await row.hover();
    await action('Rerun').click();
    await row.getByText('set by hand').waitFor({ state: 'detached' });
    const run = await served.until(({ state }) => state === 'finished');
    expect(run.selected_total).to.equal(1);
    const { body } = await served.get(`/api/runs/${run_id}/results/1`);
    expect(body.attempts).to.have.length(1);
    await row.hover();
    await action('Regrade').click();
    await page.getByText('Grading 1 result again.').waitFor();
    await served.until(({ state }) => state === 'finished');
    expect(new URL(page.url()).pathname).to.equal('/');
  });
});
