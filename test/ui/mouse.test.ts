import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import type { OpenedPage } from '../helpers/browser.js';
import type { ServedProject } from '../helpers/served-project.js';
import { holdBack, rowOf } from './screen.js';
import { openTable, serveMany } from './table-project.js';

describe('the table under the mouse', function () {
  this.timeout(120_000);
  let table: OpenedPage & { readonly served: ServedProject };
  const head = (name: string) => table.page.getByRole('columnheader', { name });
  const boxOf = async (element: Locator) => {
    const box = await element.boundingBox();
    if (box === null) throw new Error('it is not in sight');
    return box;
  };
  const widthOf = async (name: string) => (await boxOf(head(name))).width;
  const drag = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
    await table.page.mouse.move(from.x, from.y);
    await table.page.mouse.down();
    await table.page.mouse.move((from.x + to.x) / 2, to.y, { steps: 4 });
    await table.page.mouse.move(to.x, to.y, { steps: 4 });
    await table.page.mouse.up();
  };
  const names = async () =>
    (await table.page.getByRole('columnheader').allInnerTexts()).filter(Boolean);

  before(async () => {
    const served = await serveMany();
    table = { served, ...(await openTable(served)) };
    await rowOf(table.page, 'answer[case_0]').waitFor();
  });
  afterEach(() => {
    expect(table.faults).to.deep.equal([]);
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
    await table.page.reload();
    await head('Reference').waitFor();
    const now = await boxOf(head('Reference'));
    expect(now.width).to.be.closeTo(40, 1);
    await table.page.mouse.dblclick(now.x - 4, edge.y);
    expect(await widthOf('Input')).to.be.closeTo(input, 2);
    expect(await widthOf('Reference')).to.be.closeTo(reference, 2);
  });

  it('puts a column where its name is dragged to, without sorting by it', async () => {
    const before = await names();
    const [latency, output] = [await boxOf(head('Latency s')), await boxOf(head('Output'))];
    const y = latency.y + latency.height / 2;
    await drag(
      { x: latency.x + latency.width - 10, y },
      { x: output.x + output.width / 2 - 20, y },
    );
    const others = before.filter((name) => name !== 'Latency s');
    const at = others.indexOf('Output');
    const wanted = [...others.slice(0, at), 'Latency s', ...others.slice(at)];
    expect(await names()).to.deep.equal(wanted);
    expect(new URL(table.page.url()).searchParams.has('sort')).to.equal(false);
    await table.page.reload();
    await head('Latency s').waitFor();
    expect(await names()).to.deep.equal(wanted);
  });

  it('expands, reruns and regrades the row it points at', async () => {
    const { run_id } = await table.served.active();
    const row = rowOf(table.page, 'answer[case_1]');
    const action = (name: string) => row.getByRole('button', { name, exact: true });
    await row.hover();
    await action('Expand').click();
    await table.page.getByText('many.eval.ts::answer[case_1]').waitFor();
    await action('Close details').click();
    await table.page.getByText('many.eval.ts::answer[case_1]').waitFor({ state: 'detached' });
    await table.served.patch(`/api/runs/${run_id}/results/1`, {
      result: { scores: [{ key: 'exact', passed: true }] },
    });
    await row.getByText('set by hand').waitFor({ state: 'attached' });
    await row.hover();
    await action('Rerun').click();
    await row.getByText('set by hand').waitFor({ state: 'detached' });
    const run = await table.served.until(({ state }) => state === 'finished');
    expect(run.selected_total).to.equal(1);
    const { body } = await table.served.get(`/api/runs/${run_id}/results/1`);
    expect(body.attempts).to.have.length(1);
    await row.hover();
    await action('Regrade').click();
    await table.page.getByText('Grading 1 result again.').waitFor();
    await table.served.until(({ state }) => state === 'finished');
    expect(new URL(table.page.url()).pathname).to.equal('/');
  });

  it('opens a row that is clicked before it is loaded', async () => {
    const { page } = table;
    // The second page of rows.
    const free = await holdBack(page, /\/rows\?.*offset=[1-9]/);
    await page.reload();
    await page.getByRole('row').nth(1).waitFor();
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await page.getByText('is being read').first().waitFor();
    await page.locator('[role=row][aria-busy=true][aria-rowindex="202"]').click();
    free();
    await page.waitForURL(/\/results\/200(\?|$)/);
  });
});
