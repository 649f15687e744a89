import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import type { ServedProject } from '../helpers/served-project.js';
import { keepPage } from './kept-page.js';
import {
  eventually,
  goWithin,
  holdBack,
  rowNames,
  rowOf,
  scrolledBy,
  untilShown,
  wheelDownTo,
} from './screen.js';
import { serveMany } from './table-project.js';

/** What an element of the page answers; the types of tests know no page. */
interface Scrolled {
  readonly scrollWidth: number;
  readonly clientWidth: number;
}

describe('the table of the dashboard', function () {
  this.timeout(120_000);
  let served: ServedProject;
  let page: Page;
  const kept = keepPage(() => served.url);
  const open = async (path = '/') => {
    page = await kept.open(path);
    await page.locator('[role=row][data-line]').first().waitFor();
  };
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const focused = async () =>
    (await page.locator('[role=row]:focus [role=rowheader]').innerText()).split('\n')[0];
  const selected = (text: string) => page.getByText(text, { exact: true }).first().waitFor();
  const query = (name: string) => new URL(page.url()).searchParams.getAll(name);
  const filters = () => page.getByRole('navigation', { name: 'Filters' });
  const pill = (filter: string, within: Locator = filters()) =>
    within.locator(`[data-filter="${filter}"]`);

  before(async () => {
    served = await serveMany();
  });

  describe('rows', () => {
    it('open when they are clicked before they are loaded', async () => {
      page = await kept.open('/runs/latest/results/0');
      // The second page of rows, which no test has read.
      const free = await holdBack(page, /\/rows\?.*offset=[1-9]/);
      await goWithin(page, '/');
      await rowOf(page, 'answer[case_0]').waitFor();
      await press('j', 'End');
      await page.locator('[role=row][aria-busy=true]:focus').waitFor();
      await page.getByText('is being read').first().waitFor();
      await page.locator('[role=row][aria-busy=true][aria-rowindex="202"]').click();
      free();
      await page.waitForURL(/\/results\/200(\?|$)/);
    });

    it('are no more in the page than are in sight, and the focus and a range lead through all', async () => {
      await open();
      // The place of the row that was opened last is kept.
      await press('j', 'Home');
      await rowOf(page, 'answer[case_0]').waitFor();
      expect(await page.getByRole('grid').getAttribute('aria-rowcount')).to.equal('203');
      expect(await page.locator('[role=row][data-line]').count()).to.be.lessThan(70);
      await press('j', 'j', 'ArrowDown', 'ArrowDown', 'k');
      expect(await focused()).to.equal('answer[case_3]');
      await press('Home');
      expect(await focused()).to.equal('answer[case_0]');
      expect(await page.locator('[role=row][tabindex="0"]').count()).to.equal(1);
      // A range that is longer than what has been read; folded trials count one by one.
      await press('x', 'Shift+End');
      await selected('210 selected');
      await rowOf(page, 'cancel[twice]').waitFor();
      expect(await focused()).to.contain('cancel[twice]');
      await page.getByRole('checkbox', { name: 'Select none' }).click();
      // The next one begins at the top.
      await press('j', 'Home');
      await rowOf(page, 'answer[case_0]').waitFor();
    });

    it('are selected with x, Shift and arrows, Shift and click, and all that match', async () => {
      await open('/?dataset=orders');
      await press('j', 'Home', 'x', 'Shift+ArrowDown', 'Shift+ArrowDown');
      await selected('3 selected');
      await press('Shift+ArrowUp');
      await selected('2 selected');
      await rowOf(page, 'answer[case_9]').click({ modifiers: ['Shift'] });
      await selected('10 selected');
      await page.getByRole('checkbox', { name: 'Select all that match' }).click();
      await selected('160 selected');
      await page.getByRole('checkbox', { name: 'Select none' }).click();
      expect(await page.getByText(/selected$/).count()).to.equal(0);
    });

    it('show errors and failing scores, open in place and close again', async () => {
      await open('/?status=failed&status=error');
      expect(await rowOf(page, 'answer[case_3]').innerText()).to.contain('TypeError no such order');
      const row = rowOf(page, 'answer[case_1]');
      expect(await row.locator('[data-cell=scores]').innerText()).to.match(/^exact/);
      expect(await row.getByRole('img', { name: 'failed' }).count()).to.equal(2);
      await press('j', 'ArrowRight');
      await page.getByText('Wanted another answer.').waitFor();
      const detail = page.getByRole('row').filter({ hasText: 'Wanted another answer.' });
      expect(await detail.innerText()).to.contain('many.eval.ts::answer[case_1]');
      expect(await detail.innerText()).to.contain('line two');
      await press('j');
      expect(await focused()).to.equal('answer[case_3]');
      await press('k', 'Space');
      expect(await page.getByText('Wanted another answer.').count()).to.equal(0);
    });

    it('are one for all trials, which says so and opens', async () => {
      await open('/?dataset=trials');
      const twice = rowOf(page, 'cancel[twice]');
      expect(await twice.innerText()).to.contain('3/5 flaky');
      expect(await rowOf(page, 'cancel[once]').innerText()).to.contain('5/5');
      await twice.getByRole('button', { name: 'Open trials' }).click();
      await rowOf(page, '~5').waitFor();
      expect(await rowOf(page, '~4').innerText()).to.contain('Cancelled 4');
      await twice.getByRole('checkbox').click();
      await selected('5 selected');
      await rowOf(page, '~2').getByRole('checkbox').click();
      expect(await twice.getByRole('checkbox').getAttribute('aria-checked')).to.equal('mixed');
      await twice.getByRole('button', { name: 'Close trials' }).click();
      expect(await rowOf(page, '~5').count()).to.equal(0);
    });

    it('are sorted by a click on the head, the other way, and not at all', async () => {
      await open();
      const head = page.getByRole('columnheader', { name: 'Evaluation' });
      const sort = head.getByRole('button', { name: 'Evaluation' });
      await sort.click();
      await page.waitForURL(/sort=function/);
      expect(await head.getAttribute('aria-sort')).to.equal('ascending');
      await sort.click();
      await page.waitForURL(/order=desc/);
      await rowOf(page, 'tone[case_39]').waitFor();
      await sort.click();
      await rowOf(page, 'answer[case_0]').waitFor();
      expect(query('sort')).to.deep.equal([]);
      await page.getByRole('button', { name: 'Scores' }).click();
      await page.getByRole('menuitem', { name: 'size' }).click();
      await page.waitForURL(/sort=score%3Asize/);
    });

    it('open a result with the filter in its address, which leads back to the same place', async () => {
      await open('/?dataset=orders');
      await rowOf(page, 'answer[case_0]').waitFor();
      await page.mouse.move(700, 700);
      const wanted = rowOf(page, 'answer[case_70]');
      await wheelDownTo(page, wanted);
      const top = await scrolledBy(page);
      const isBack = () =>
        eventually(
          () => scrolledBy(page),
          (at) => Math.abs(at - top) <= 2,
          `scrolled to ${top}`,
        );
      await wanted.click({ position: { x: 600, y: 14 } });
      await page.waitForURL(/\/runs\/[^/]+\/results\/70\?.*dataset=orders/);
      await page.getByText('71 of 160 matching').waitFor();
      expect(await scrolledBy(page)).to.equal(0);
      await page.goBack();
      await wanted.waitFor();
      await isBack();
      expect(await focused()).to.equal('answer[case_70]');
      await press('Enter');
      await page.getByRole('heading', { level: 1, name: 'answer[case_70]' }).waitFor();
      await press('Escape');
      await wanted.waitFor();
      await isBack();
    });
  });

  describe('filters', () => {
    it('include, exclude and let be a value, with the number it would leave', async () => {
      await open();
      const tone = pill('dataset=tone');
      expect(await tone.innerText()).to.match(/tone\s*40/);
      for (const [left, chosen] of [
        ['40', ['tone']],
        ['170', ['!tone']],
        ['210', []],
      ] as const) {
        await tone.click();
        await untilShown(page, left);
        expect(query('dataset')).to.deep.equal(chosen);
      }
    });

    it('fit into their line, at any width', async () => {
      await open('/?dataset=orders');
      for (const width of [1440, 900, 700]) {
        await page.setViewportSize({ width, height: 800 });
        await eventually(
          () =>
            filters().evaluate((at) => {
              const { scrollWidth, clientWidth } = at as unknown as Scrolled;
              return scrollWidth - clientWidth;
            }),
          (beyond) => beyond === 0,
          `a line that does not scroll at ${width}`,
        );
      }
    });

    it('say that a search goes on when it takes a while', async () => {
      await open();
      const answer = await holdBack(page, /\/rows\?.*search=/);
      await page.getByRole('textbox', { name: 'Search' }).fill('order');
      await untilShown(page, 'Searching 210 results …');
      answer();
      await untilShown(page, '\\d+ of 210');
    });

    it('are all behind f: scores, bounds, what there is, trials, latency', async () => {
      await open();
      await press('f');
      const panel = page.getByRole('dialog', { name: 'Filters' });
      const clear = panel.getByRole('button', { name: 'Clear', exact: true });
      await pill('score=exact:failed', panel).click();
      await untilShown(page, '40');
      await panel.getByRole('textbox', { name: 'size at most' }).fill('0.5');
      await press('Enter');
      expect(query('score')).to.deep.equal(['exact:failed', 'size:<=0.5']);
      await clear.click();
      await pill('has=error', panel).click();
      await untilShown(page, '1 of');
      await clear.click();
      await pill('flaky=true', panel).click();
      await untilShown(page, '5 of');
      await panel.getByRole('switch', { name: 'one row for all trials' }).click();
      expect(query('fold')).to.deep.equal(['none']);
      await page.getByRole('link', { name: 'cancel[twice]~5' }).waitFor();
      await panel.getByRole('textbox', { name: 'Latency from' }).fill('100');
      await press('Enter');
      await untilShown(page, '0 of');
      expect(query('latency')).to.deep.equal(['100..']);
      await press('Escape');
      await panel.waitFor({ state: 'detached' });
    });

    it('that empty the table are said, dropped, and there again on the way back', async () => {
      page = await kept.open('/?dataset=tone&status=failed');
      await page.getByRole('heading', { name: 'No result matches' }).waitFor();
      await page.getByText('Without “failed” 40 match.').waitFor();
      await page.getByRole('button', { name: 'Drop “failed”' }).click();
      await untilShown(page, '40');
      await page.goBack();
      await page.getByRole('button', { name: 'Clear all filters' }).click();
      await untilShown(page, '210');
    });

    it('and the order can be had on a phone, too', async () => {
      await open('/?dataset=orders');
      await page.setViewportSize({ width: 400, height: 900 });
      await page.getByRole('button', { name: 'Filters' }).click();
      const panel = page.getByRole('dialog', { name: 'Filters' });
      await panel.getByRole('button', { name: 'exact', exact: true }).click();
      await page.waitForURL(/sort=score/);
      await panel.getByRole('button', { name: 'exact ascending' }).waitFor();
      await press('Escape');
      await eventually(
        () => rowNames(page),
        ([first]) => first === 'answer[case_1]',
        'failures first',
      );
    });
  });

  describe('groups', () => {
    const group = (name: string) =>
      page.locator('[data-line=group]').filter({ has: page.getByText(name, { exact: true }) });
    const expanded = (name: string) => group(name).getAttribute('aria-expanded');
    /** The lines of groups, from top to bottom. */
    const groupLines = () =>
      page.evaluate<string[]>(`
        [...document.querySelectorAll('[data-line=group]')]
          .sort((a, b) => a.ariaRowIndex - b.ariaRowIndex)
          .map((line) => line.querySelector('[role=rowheader]').innerText.replace(/\\s+/g, ' '))`);
    const groupBy = async (now: string, next: string) => {
      await page.getByRole('button', { name: `group ${now}` }).click();
      await page.getByRole('menuitemradio', { name: next }).click();
    };

    it('come from the menu, with their figures, the worst first, and lead through their rows', async () => {
      await open();
      await groupBy('none', 'dataset');
      await page.getByRole('treegrid', { name: 'Results by dataset' }).waitFor();
      expect(page.url()).to.contain('by=dataset');
      await group('orders').waitFor();
      expect((await groupLines())[0]).to.equal('orders 160');
      expect(await group('orders').innerText()).to.match(/74\.4\s+.*67\.1–80\.5/s);
      expect(await rowOf(page, 'answer[case_3]').getAttribute('aria-level')).to.equal('2');
      expect(await filters().innerText()).to.contain('in 3 groups');
      await rowOf(page, 'answer[case_3]').getByRole('link').click();
      await page.getByText(/^1 of 210/).waitFor();
      await press('Escape');
      await group('orders').waitFor();
    });

    it('fold and open by click, key and all at once, and stay so after a reload', async () => {
      await open('/?by=dataset');
      await group('orders').click();
      expect(await expanded('orders')).to.equal('false');
      expect(page.url()).to.contain('toggled=orders');
      expect(await groupLines()).to.have.length(3);
      await page.reload();
      await group('orders').waitFor();
      expect(await expanded('orders')).to.equal('false');
      await press('j');
      expect(await focused()).to.contain('orders');
      await press('ArrowRight');
      expect(await expanded('orders')).to.equal('true');
      await press('ArrowRight');
      expect(await focused()).to.contain('answer[case_3]');
      await press('ArrowLeft');
      expect(await focused()).to.contain('orders');
      await press('Shift+ArrowLeft');
      expect(await expanded('tone')).to.equal('false');
      await page.getByRole('button', { name: 'open all' }).click();
      expect(await expanded('orders')).to.equal('true');
    });

    it('are selected as a whole, and in part when some of their rows are', async () => {
      await open('/?by=dataset');
      await press('j', 'Home', 'x');
      await selected('160 selected');
      const box = group('orders').getByRole('checkbox');
      await eventually(
        () => box.getAttribute('aria-checked'),
        (is) => is === 'true',
        'box of group',
      );
      await press('j', 'x');
      await selected('159 selected');
      expect(await box.getAttribute('aria-checked')).to.equal('mixed');
      await press('Escape');
    });

    it('are sorted by the column whose head is clicked, and so are their rows', async () => {
      await open('/?by=dataset');
      await page.getByRole('button', { name: 'Passed %' }).click();
      await eventually(groupLines, ([first]) => first?.startsWith('tone') === true, 'best first');
      expect(page.url()).to.contain('sort=status&order=desc');
    });

    it('say what they are of in a narrow window, too', async () => {
      await open('/?by=dataset&status=failed&dataset=orders&dataset=refunds');
      await page.setViewportSize({ width: 641, height: 800 });
      await group('orders').waitFor();
      const picker = await page.getByRole('button', { name: 'group dataset' }).boundingBox();
      const found = await filters().getByRole('status').boundingBox();
      expect((picker?.x ?? 0) + (picker?.width ?? 0)).to.be.below(found?.x ?? 0);
      await page.setViewportSize({ width: 1440, height: 900 });
    });

    it('show the difference from the previous run, or why there is none', async () => {
      await served.post('/api/runs/new?wait=true', { run_name: 'second' });
      await open(`/?run=${await served.activeId()}&by=dataset`);
      const change = group('orders').locator('[title^="Since "]');
      await change.waitFor();
      // The same code: no case has changed.
      expect(await change.innerText()).to.match(/^0\.0\s+since /);
      expect(await change.getAttribute('title')).to.match(
        /, all results: 74\.4 → 74\.4, 0\.0 points, .*over 160 pairs, p 1: identical$/,
      );
      await goWithin(page, '/?by=output');
      // What came of the results decides which group they are in: neither a rate nor a difference says anything.
      await page.locator('[role=row] [title$="these are counts."]').first().waitFor();
      expect(await page.locator('[title^="Since "]').count()).to.equal(0);
    });
  });

  describe('changes of results', () => {
    const bar = () => page.getByRole('toolbar', { name: 'Selected results' });
    const annotated = async () =>
      (await served.active()).results.filter(
        ({ result }: { result: { annotation: string } }) => result.annotation !== '',
      ).length;
    const select = async () => {
      await open('/?dataset=tone');
      await press('j', 'Home', 'x', 'Shift+ArrowDown');
      await bar().getByText('2 selected', { exact: true }).waitFor();
    };
    const annotate = async (text: string) => {
      await press('a');
      const dialog = page.getByRole('dialog', { name: 'Annotate 2 results' });
      await dialog.getByRole('textbox', { name: 'Annotation' }).waitFor();
      const apply = dialog.getByRole('button', { name: 'Annotate', exact: true });
      expect(await apply.isDisabled()).to.equal(true);
      await page.keyboard.type(text);
      expect(await apply.isDisabled()).to.equal(false);
      await press('Control+Enter');
    };

    it('annotate them by key, also when it has to be saved again, and are taken back', async () => {
      await select();
      const address = /\/api\/runs\/[^/]+\/results$/;
      await page.route(address, (route) => route.abort());
      await annotate('looked at');
      await page.getByText('The server does not answer.').first().waitFor();
      expect(await annotated()).to.equal(0);
      await page.unroute(address);
      await press('Control+Enter');
      await bar().getByText('Annotated 2 results').waitFor();
      expect(await annotated()).to.equal(2);
      await bar().getByRole('button', { name: 'Undo' }).click();
      await bar().getByText('Annotated 2 results').waitFor({ state: 'detached' });
      expect(await annotated()).to.equal(0);
      await page.getByRole('button', { name: 'Close' }).click();
    });

    it('count those that filters or a folded group hide', async () => {
      await select();
      const search = page.getByPlaceholder(/^Search/).first();
      const says = (text: string) => bar().getByText(text, { exact: true }).waitFor();
      for (const [text, said] of [
        ['case_7', '2 selected, 2 not shown'],
        ['case_0', '2 selected, 1 not shown'],
        ['', '2 selected'],
      ] as const) {
        await search.fill(text);
        await says(said);
      }
      await page.getByRole('button', { name: 'group none' }).click();
      await page.getByRole('menuitemradio', { name: 'dataset' }).click();
      await page.getByRole('button', { name: 'fold all' }).click();
      await says('2 selected, 2 not shown');
    });

    it('set and clear a score of all that match', async () => {
      await select();
      await bar().getByRole('button', { name: 'Select all 40 that match' }).click();
      await bar().getByText('40 selected').waitFor();
      await bar().getByRole('button', { name: 'Set score' }).click();
      const dialog = page.getByRole('dialog', { name: 'Set a score of 40 results' });
      await dialog.getByRole('combobox', { name: 'Key of the score' }).fill('polite');
      await dialog.getByRole('radio', { name: 'failed' }).check();
      await dialog.getByRole('button', { name: 'Set score' }).click();
      await bar().getByText('Set polite of 40 results').waitFor();
      const first = rowOf(page, 'tone[case_0]');
      await first.getByText('set by hand').waitFor({ state: 'attached' });
      await bar().getByRole('button', { name: 'Undo' }).click();
      await bar().getByText('Set polite of').waitFor({ state: 'detached' });
      await press('j', 'Escape');
      await bar().waitFor({ state: 'detached' });
    });

    it('are made of one row under the mouse, which expands, runs and is graded again', async () => {
      const { run_id } = await served.active();
      await open();
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

  describe('columns', () => {
    const head = (name: string) => page.getByRole('columnheader', { name });
    const boxOf = async (element: Locator) => {
      const box = await element.boundingBox();
      if (box === null) throw new Error('it is not in sight');
      return box;
    };
    const widthOf = async (name: string) => (await boxOf(head(name))).width;
    const names = async () =>
      (await page.getByRole('columnheader').allInnerTexts()).filter(Boolean);
    const drag = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move((from.x + to.x) / 2, to.y, { steps: 4 });
      await page.mouse.move(to.x, to.y, { steps: 4 });
      await page.mouse.up();
    };

    it('have the width that their edge is dragged to, and their own at a double click', async () => {
      await open();
      const [input, reference] = [await widthOf('Input'), await widthOf('Reference')];
      const { x, y, height } = await boxOf(head('Reference'));
      const edge = { x: x - 4, y: y + height / 2 };
      await drag(edge, { x: edge.x + 60, y: edge.y });
      expect(await widthOf('Input')).to.be.closeTo(input + 60, 2);
      expect(await widthOf('Reference')).to.be.closeTo(reference - 60, 2);
      await drag({ x: edge.x + 60, y: edge.y }, { x: edge.x + 2000, y: edge.y });
      const now = await boxOf(head('Reference'));
      expect(now.width).to.be.closeTo(40, 1);
      await page.mouse.dblclick(now.x - 4, edge.y);
      expect(await widthOf('Input')).to.be.closeTo(input, 2);
      expect(await widthOf('Reference')).to.be.closeTo(reference, 2);
    });

    it('are dragged, hidden, moved and widened, without sorting, and stay so after a reload', async () => {
      await open();
      const before = await names();
      const [latency, output] = [await boxOf(head('Latency s')), await boxOf(head('Output'))];
      const y = latency.y + latency.height / 2;
      await drag(
        { x: latency.x + latency.width - 10, y },
        { x: output.x + output.width / 2 - 20, y },
      );
      const others = before.filter((name) => name !== 'Latency s');
      const at = others.indexOf('Output');
      const dragged = [...others.slice(0, at), 'Latency s', ...others.slice(at)];
      expect(await names()).to.deep.equal(dragged);
      expect(query('sort')).to.deep.equal([]);
      await button('Columns').click();
      await page.getByRole('menuitemcheckbox', { name: 'Reference' }).click();
      await press('Escape');
      await button('Input').focus();
      await press('Shift+ArrowRight');
      const rest = dragged.filter((name) => !['Input', 'Reference'].includes(name));
      const after = rest.indexOf('Latency s') + 1;
      const wanted = [...rest.slice(0, after), 'Input', ...rest.slice(after)];
      expect(await names()).to.deep.equal(wanted);
      const narrow = await widthOf('Input');
      await press('Control+ArrowRight');
      const wide = await widthOf('Input');
      expect(wide - narrow).to.be.closeTo(16, 1);
      await page.reload();
      await page.getByRole('grid').waitFor();
      expect(await names()).to.deep.equal(wanted);
      expect(await widthOf('Input')).to.be.closeTo(wide, 1);
    });

    it('come and go beside what is open', async () => {
      await open();
      await press('j', 'Home', 'j', 'ArrowRight');
      const notes = page.getByText('Wanted another answer.');
      await notes.waitFor();
      await button('Columns').click();
      await page.getByRole('menuitem', { name: 'Scores and values…' }).click();
      await page.getByRole('checkbox', { name: 'reference.n' }).check();
      await press('Escape');
      const cell = rowOf(page, 'answer[case_2]').locator('[data-cell="field:reference.n"]');
      await cell.getByText('2', { exact: true }).waitFor();
      expect(await notes.isVisible()).to.equal(true);
      await page.setViewportSize({ width: 640, height: 900 });
      await cell.waitFor({ state: 'detached' });
      expect(await notes.isVisible()).to.equal(true);
    });
  });
});
