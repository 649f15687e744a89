#!/usr/bin/env node
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { chromiumPaths } from '../scripts/chromium-paths.mjs';
import { median } from './measure.mjs';
import { writeProject } from './server/project.mjs';
import { makeRun } from './server/saved-runs.mjs';
import { serve } from './server/serving.mjs';
import * as probes from './ui/probes.mjs';

// How quick the web UI is, in headless Chromium: node benchmarks/ui.mjs [--only open|scroll|groups|scores|search|live|result]
// Needs a built dist and Chromium. Takes about four minutes; exit code 1 when a budget is not kept.
const { values: options } = parseArgs({ options: { only: { type: 'string' } } });
const isAsked = (part) => options.only === undefined || options.only === part;

/** They say when they have finished. */
const oneAfterTheOther = `{
  cases: Array.from({ length: 20 }, (_, index) => ({ input: index })),
  target: async ({ input }: { input: number }) => { await setTimeout(230 + input); return 'finished at ' + Date.now(); },
}`;

/** Results with 60 scores and 81 messages, half of them Markdown and the calls of tools. */
const threads = `{
  cases: Array.from({ length: 12 }, (_, index) => ({ input: index })),
  target: async (ctx: any) => {
    const list = Array.from({ length: 12 }, (_, n) => (n + 1) + '. Payment \`p_' + n + '\` of **42.50**, linked to the order.').join('\\n');
    ctx.traceData.messages = Array.from({ length: 81 }, (_, n) =>
      n % 4 === 1
        ? { role: 'assistant', content: [{ type: 'tool_use', id: 'c' + n, name: 'orders.find', input: { id: n } }] }
        : n % 4 === 2
          ? { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c' + (n - 1), content: '{"ok": true}' }] }
          : { role: n % 4 === 0 ? 'user' : 'assistant', content: 'Message ' + n + ':\\n\\n' + list },
    );
    return '## Answer\\n\\n' + list + '\\n\\n' + list;
  },
}, (ctx: any) => {
  for (let n = 0; n < 60; n += 1) ctx.score({ key: 'score_' + n, passed: n % 15 !== 0, notes: 'As the policy says.' });
}`;
const sixtyScores = Array.from({ length: 60 }, (_, n) => `score:score_${n}`);
const views = `views:\n  sixty: { columns: [${sixtyScores.join(', ')}, latency] }\n`;
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-ui-'));
const root = join(folder, 'results');
let missed = 0;
try {
  writeProject(folder, { concurrency: 1, wait: oneAfterTheOther, views });
  console.error('making runs of 10,000 and 100,000 results, and one of 10,000 with 62 scores …');
  const small = await makeRun(root, 10_000, 'ten-thousand');
  const large = await makeRun(root, 100_000, 'hundred-thousand');
  const scored = await makeRun(root, 10_000, 'sixty-scores', 60);
  const server = await serve(folder, root);
  const browser = await chromium.launch({
    executablePath: chromiumPaths.find(existsSync),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  });
  try {
    console.log('| what | measured | budget | |\n|---|--:|--:|---|');
    if (isAsked('open')) await measureOpening(server, browser, small, large);
    if (isAsked('scroll')) await measureScrolling(server, browser, large);
    if (isAsked('groups')) await measureGroups(server, browser, large);
    if (isAsked('scores')) await measureScores(server, browser, scored);
    if (isAsked('search')) await measureSearch(server, browser, large);
    if (isAsked('live')) await measureLive(server, browser);
    if (isAsked('result')) await measureResult(browser);
  } finally {
    await browser.close();
    await server.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = missed > 0 ? 1 : 0;

async function measureOpening(server, browser, small, large) {
  const ten = await openOften(server, browser, small);
  tellRow('JavaScript for the dashboard, compressed', ten.bytes / 1000, 150, 'kB');
  tellRow('open a run of 10,000 results to first rows painted', ten.took, 800);
  const hundred = await openOften(server, browser, large);
  tellRow('open a run of 100,000 results', hundred.took, 1500);
  tellRow('… and the heap of the page', hundred.heap, 150, 'MB');
}

/** Opens a run in a fresh browser profile, the server warm; the middle of five. */
async function openOften(server, browser, run, more) {
  await server.send('GET', `/api/runs/${run}/rows`);
  const opened = [];
  for (let turn = 0; turn < 5; turn += 1) {
    const page = await open(server, browser, run, more);
    const [took, bytes, heap] = [
      await page.evaluate(() => window.firstRowsAt),
      await page.evaluate(probes.scriptBytes),
      await heapOf(page),
    ];
    opened.push({ took, bytes, heap });
    await page.context().close();
  }
  const middle = (name) => median(opened.map((one) => one[name]).sort((a, b) => a - b));
  return { took: middle('took'), bytes: middle('bytes'), heap: middle('heap') };
}

async function measureScrolling(server, browser, run) {
  const page = await open(server, browser, run);
  // As the thumb of the scroll bar is dragged, and as a wheel turns.
  await scroll(page, 'scroll 100,000 rows', [10, 60]);
  await page.context().close();
}

/** A large run by dataset: twelve groups, all open. */
async function measureGroups(server, browser, run) {
  const opened = await openOften(server, browser, run, '&by=dataset');
  tellRow('open a run of 100,000 results by dataset', opened.took, 1500);
  const page = await open(server, browser, run, '&by=dataset');
  await scroll(page, 'scroll 100,000 grouped rows', [10]);
  await page.context().close();
}

/** A view with a column for each of 60 scores: as many as there is room for are shown. */
async function measureScores(server, browser, run) {
  const opened = await openOften(server, browser, run, '&view=sixty');
  tellRow('open a run of 10,000 results with 62 scores and 60 columns', opened.took, 800);
  const page = await open(server, browser, run, '&view=sixty');
  await scroll(page, 'scroll 10,000 rows with 62 scores', [10]);
  await page.context().close();
}

/** Scrolls in so many seconds each, then jumps. */
async function scroll(page, what, times) {
  for (const seconds of times) {
    await page.evaluate(() => scrollTo(0, 0));
    await delay(500);
    const { gap, blank, frames, blankFrames } = await page.evaluate(probes.scrollThrough, seconds);
    const percent = (part) => `${((100 * part) / frames).toFixed(0)} %`;
    const share = `${percent(blankFrames)} of ${frames} frames`;
    tellRow(`${what} in ${seconds} s: longest gap between frames`, gap, 100);
    // Nobody reads rows that pass at 10,000 a second.
    const limit = seconds < 60 && what.includes('100,000') ? Number.POSITIVE_INFINITY : 150;
    tellRow(`… longest time with blank rows (${share})`, blank, limit);
  }
  tellRow('… and the heap of the page', await heapOf(page), 150, 'MB');
  const jumps = [];
  for (const share of [0.9, 0.1, 0.5, 0.7, 0.3, 1, 0, 0.65, 0.35, 0.95]) {
    // Two steps at once would be scrolling.
    await page.waitForTimeout(500);
    jumps.push(await page.evaluate(probes.jumpTo, share));
  }
  tellRow('… jump to another place: blank rows, the slowest of 10', Math.max(...jumps), 150);
}

async function measureSearch(server, browser, run) {
  const page = await open(server, browser, run);
  await page.evaluate(probes.noteTyping);
  const field = page.getByPlaceholder(/^Search/).first();
  const times = [];
  for (const text of ['A-4321', 'nobody knows', 'tuesday', 'answer 77', 'A-99']) {
    const query = new URLSearchParams({ search: text, limit: '0' });
    const answer = await server.send('GET', `/api/runs/${run}/rows?${query}`);
    await server.send('GET', `/api/runs/${run}/rows?search=${times.length}%20something%20else`);
    const matching = JSON.parse(answer.text).filtered.toLocaleString('en');
    await field.fill(text);
    times.push(await page.evaluate(probes.searchPainted, matching));
  }
  times.sort((a, b) => a - b);
  tellRow('type in search over 100,000 results to answer painted', median(times), 300);
  tellRow('… the slowest of 5', times.at(-1), 300);
  await page.context().close();
}

async function measureLive(server, browser) {
  // The address of the active run, which has not started.
  const page = await open(server, browser, 'latest');
  await page.evaluate(probes.noteFinishes);
  await server.send('POST', '/api/runs/rerun?wait=true', {});
  await delay(1000);
  const times = await page.evaluate(() => [...window.finishes.values()].filter(Number.isFinite));
  if (times.length < 20) throw new Error(`Only ${times.length} rows were seen to change.`);
  times.sort((a, b) => a - b);
  tellRow('a finished evaluation to its row changed on screen', median(times), 200);
  tellRow('… the slowest of 20', times.at(-1), 200);
  await page.context().close();
}

/** Moves by the keyboard from one long result to the next; the middle of ten. */
async function measureResult(browser) {
  const own = join(folder, 'threads');
  mkdirSync(own);
  writeProject(own, { concurrency: 4, wait: threads });
  const server = await serve(own, join(own, 'results'));
  try {
    await server.send('POST', '/api/runs/rerun?wait=true', {});
    const page = await (await browser.newContext()).newPage();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${server.url}/runs/latest/results/0`);
    await page.getByText('1 of 12').first().waitFor();
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const busy = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return 1000 * metrics.find(({ name }) => name === 'TaskDuration').value;
    };
    const times = [];
    for (let turn = 1; turn <= 11; turn += 1) {
      // The neighbour is read ahead.
      await delay(700);
      const before = await busy();
      await page.keyboard.press('j');
      await page
        .getByText(`${turn + 1} of 12`)
        .first()
        .waitFor();
      await delay(500);
      times.push((await busy()) - before);
    }
    const [first, ...others] = times;
    others.sort((a, b) => a - b);
    tellRow('move to a result with 81 messages and 60 scores: main thread', median(others), 100);
    tellRow('… the first time', first, 250);
    await page.context().close();
  } finally {
    await server.close();
  }
}

/** Opens a run, with `more` of a query, and waits for its rows. */
async function open(server, browser, run, more = '') {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(probes.noteFirstRows);
  await page.goto(`${server.url}/?run=${run}${more}`);
  await page.waitForFunction(() => window.firstRowsAt !== undefined);
  return page;
}

async function heapOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  await session.detach();
  return metrics.find(({ name }) => name === 'JSHeapUsedSize').value / 1e6;
}

function tellRow(what, value, limit, unit = 'ms') {
  const isMet = value <= limit;
  if (!isMet) missed += 1;
  console.log(
    `| ${what} | ${value.toFixed(0)} ${unit} | ${limit} ${unit} | ${isMet ? 'kept' : 'not kept'} |`,
  );
}
