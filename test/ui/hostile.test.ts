import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { visibleText } from '../../ui/src/result/values/visible-text.js';
import { builtUi, type OpenedPage, openPage } from '../helpers/browser.js';
import { fewOf } from '../helpers/rounds.js';
import { ServedProject } from '../helpers/served-project.js';
import { hostileStrings, inName } from './hostile-strings.js';
import { part } from './result-project.js';
import { eventually, goWithin, untilShown } from './screen.js';

const texts = fewOf(hostileStrings, 5);

/** Every text in every field, two results each: as text, in Markdown, in JSON and in messages. */
const evals = `
import { existsSync } from 'node:fs';
import { evaluation } from 'assay';
const texts = ${JSON.stringify(texts)};
const names = ${JSON.stringify(texts.map(inName))};
const shapes = [
  (text) => text,
  (text) => '# Title\\n\\n- **item** ' + text + '\\n\\n' + text + '\\n',
  (text) => ({ [text]: text, list: [text, { [text]: [text] }] }),
  (text) => [
    { role: text, content: text, name: text },
    { role: 'user', content: [{ type: 'text', text }, { type: 'image_url', image_url: { url: text } }] },
    { role: 'assistant', tool_calls: [{ id: text, function: { name: text, arguments: text } }] },
  ],
];
const shaped = (text, n) => shapes[n % shapes.length](text);
export const all = texts.map((text, n) =>
  evaluation({
    name: names[n], dataset: names[n], labels: [names[n]], metadata: { [text]: shaped(text, n) },
    cases: [0, 2].map((m) => ({ id: names[n] + m, input: shaped(text, n + m), reference: shaped(text, n + m + 1) })),
    target: (ctx) => {
      console.log(text);
      ctx.traceData.traceUrl = text;
      ctx.traceData.messages = shapes[3](text);
      return shaped(existsSync(new URL('again', import.meta.url)) ? text + ' ' + text : text, n + 3 + Number(ctx.caseId.at(-1)));
    },
  }, (ctx) => {
    ctx.score({ key: names[n], passed: ctx.caseId.endsWith('0') !== existsSync(new URL('again', import.meta.url)), notes: text });
    if (n % 5 === 4) throw new Error(text);
  }),
);
`;

/** No run or session is given such a name. */
const turnsText = (text: string) => /\p{Bidi_Control}/u.test(text);
const count = texts.length * 2;

describe('texts that want to be more than text', function () {
  this.timeout(180_000);
  let served: ServedProject;
  let ids: readonly string[];
  let opened: OpenedPage;
  let page: Page;
  let happened: string[];

  before(async () => {
    served = await ServedProject.start(
      { 'all.eval.ts': evals },
      {
        ui: builtUi,
        session: inName(hostileStrings[1] ?? ''),
        runName: inName(hostileStrings[0] ?? ''),
      },
    );
    const first = (await served.runAll()).run_id;
    for (const index of Array(count).keys()) {
      const text = texts[Math.floor(index / 2)] ?? '';
      const scores = [{ key: inName(text), passed: false, notes: `${text} by hand` }];
      const { status } = await served.patch(`/api/runs/${first}/results/${index}`, {
        result: { annotation: text, scores },
      });
      expect(status).to.equal(200);
    }
    served.project.write('again', '');
    const started = await served.post('/api/runs/new?wait=true', {
      run_name: inName(hostileStrings[2] ?? ''),
    });
    ids = [first, started.body.run_id];
    opened = await openPage({ height: 3000 });
    page = opened.page;
    happened = watch(opened, served.url);
    await page.goto(served.url);
  });
  afterEach(async () => {
    expect(await outcome(page)).to.deep.equal({ hit: null, foreign: [] });
    expect([...happened, ...opened.faults]).to.deep.equal([]);
  });

  it('are text on the dashboard: in rows, details, filters, pickers and what is searched', async () => {
    await goWithin(page, `/?run=${ids[0]}`);
    await untilShown(page, `${count} of ${count}`);
    const names = await page.locator('[role=rowheader] a').allInnerTexts();
    for (const text of texts) {
      const whole = inName(text);
      expect(names).to.include(`${whole}[${whole}0]`).and.include(`${whole}[${whole}2]`);
    }
    await page.keyboard.press('j');
    for (let n = 0; n < count; n += 1) {
      await page.keyboard.press('ArrowRight');
      if (n % 8 === 1) {
        await page.locator('[role=row]:focus + [role=row]').getByText('all.eval.ts::').waitFor();
        expect(await outcome(page)).to.deep.equal({ hit: null, foreign: [] });
      }
      await page.keyboard.press('j');
    }
    await page.keyboard.press('f');
    const panel = page.getByRole('dialog', { name: 'Filters' });
    const pill = panel.locator('[data-filter^="dataset="]').first();
    await pill.click();
    await untilShown(page, `2 of ${count}`);
    await page.keyboard.press('Escape');
    for (const text of texts) {
      const name = inName(text);
      const { status } = await served.patch(`/api/runs/${ids[0]}`, { run_name: name });
      expect(status).to.equal(turnsText(text) ? 400 : 200);
      if (turnsText(text)) continue;
      await eventually(
        () => page.title(),
        (title) => title.startsWith(name),
        'the name in the title',
      );
      expect(await page.getByTitle('Run', { exact: true }).innerText()).to.contain(name);
    }
    await page.getByTitle('Run', { exact: true }).click();
    await page.getByRole('option', { name: inName(hostileStrings[2] ?? '') }).waitFor();
    await page.keyboard.press('Escape');
    const search = page.getByRole('textbox', { name: 'Search' });
    for (const text of fewOf(texts, 2)) {
      await search.fill(`${inName(text)}?`);
      await page
        .getByText(`“${inName(text)}?`)
        .first()
        .waitFor();
    }
    const address = texts.map((text) => `dataset=${encodeURIComponent(`${text}?`)}`);
    await goWithin(page, `/?${address.join('&')}`);
    await page.getByRole('heading', { name: 'No result matches' }).waitFor();
  });

  it('are text on the page of a result: values, scores, history, errors, logs and links', async () => {
    await goWithin(page, `/runs/${ids[0]}/results/0`);
    for (let index = 0; index < count; index += 1) {
      const text = texts[Math.floor(index / 2)] ?? '';
      await page.getByText(`${index + 1} of ${count} results`).waitFor();
      await part(page, 'Correction history').waitFor();
      if (index === 1) await page.keyboard.press('d');
      await eventually(
        () => part(page, 'Scores').innerText(),
        (scores) => scores.includes(visibleText(inName(text))),
        `the scores of result ${index + 1}`,
      );
      for (const raw of await page.getByRole('button', { name: 'Raw' }).all()) await raw.click();
      expect(await outcome(page), text).to.deep.equal({ hit: null, foreign: [] });
      await page.keyboard.press('j');
    }
  });

  it('are text where runs are compared, folded and open', async () => {
    await goWithin(page, `/compare?run=${ids[0]}&run=${ids[1]}`);
    await untilShown(page, `${count} of ${count} pairs`);
    await page.keyboard.press('j');
    for (let n = 0; n < count; n += 1) {
      await page.keyboard.press(' ');
      await page.keyboard.press('j');
    }
    await eventually(
      () => page.getByRole('link', { name: 'Open the result' }).count(),
      (links) => links > 4,
      'open pairs',
    );
    await page.getByRole('button', { name: 'All differences' }).click();
    await page.getByRole('dialog', { name: 'All differences' }).waitFor();
  });
});

/** Notes what a page must not do: dialogs, windows, and requests to another origin. */
function watch({ page, context }: OpenedPage, origin: string): string[] {
  const happened: string[] = [];
  context.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:image/png')) happened.push(url);
  });
  context.on('page', (other) => {
    if (other !== page) happened.push(`window ${other.url()}`);
  });
  page.on('dialog', (dialog) => {
    happened.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  return happened;
}

/** Whether any text was run, and which elements and attributes are there that only a text can have made. */
async function outcome(page: Page): Promise<unknown> {
  return page.evaluate(`({
    hit: window.hit ?? null,
    foreign: [
      ...document.querySelectorAll(
        'body script, body style, iframe, object, embed, math, base, form[action], [http-equiv=refresh], [xlink\\\\:href]'
      ),
      ...[...document.querySelectorAll('img')].filter(({ src }) => !src.startsWith('data:image/')),
      ...[...document.querySelectorAll('a')].filter(({ protocol }) => !/^https?:$/.test(protocol)),
      ...[...document.querySelectorAll('*')].filter((element) =>
        element.getAttributeNames().some((name) => name.startsWith('on'))),
    ].map(({ outerHTML }) => outerHTML.slice(0, 200)),
  })`);
}
