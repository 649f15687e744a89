// Pictures of the web UI: runs examples/support-agent with one prompt after the other, serves the runs and looks at them.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { chromiumPaths } from './chromium-paths.mjs';
import { toPalettePng } from './palette-png.mjs';

const session = 'support-agent';
/** Names of the runs, by the version of the prompt in use, as if it had been edited between them. */
const runs = {
  4: 'wide-meadow',
  5: 'even-marble',
  6: 'late-kettle',
  7: 'calm-lantern',
  8: 'quick-finch',
  9: 'plain-harbor',
  10: 'soft-anvil',
  11: 'brave-pixel',
  12: 'tidy-maple',
  13: 'steady-finch',
  14: 'brisk-otter',
};
const newestRun = 'brisk-otter';
/** Of how many, from the newest, the comparison is. */
const compared = ['even-marble', 'tidy-maple', newestRun];

/** Makes the pictures, light and dark: calls `save` with a name and a PNG for each. */
export async function webUiPictures({ root, scratch, save }) {
  const options = { cwd: root, env: { PATH: process.env.PATH, HOME: scratch } };
  const settings = join(scratch, 'assay.yaml');
  writeFileSync(settings, 'results_dir: sessions\nconcurrency: 100\n');
  for (const [SUPPORT_PROMPT, name] of Object.entries(runs)) {
    // The newest run is that of the code as it is.
    const env = name === newestRun ? options.env : { ...options.env, SUPPORT_PROMPT };
    runAssay({ ...options, env }, ['--settings', settings, '--run-name', name]);
  }
  const served = await serve(options, settings);
  const browser = await chromium.launch({
    executablePath: chromiumPaths.find(existsSync),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const pages = await pagesOf(served.url);
    for (const [name, { path, act }] of Object.entries(pages)) {
      for (const theme of ['light', 'dark']) {
        const png = await picture(browser, `${served.url}${path}`, theme, act);
        save(`${name}-${theme}.png`, toPalettePng(png));
      }
    }
  } finally {
    await browser.close();
    served.stop();
  }
}

function runAssay(options, flags) {
  const args = ['bin/run.js', 'run', 'examples/support-agent', '--session', session, ...flags];
  execFileSync(process.execPath, args, { ...options, stdio: 'ignore' });
}

/** A server on a free port, and how to stop it. */
async function serve(options, settings) {
  const flags = ['--settings', settings, '--run', 'latest', '--port', '0', '--no-open'];
  const args = ['bin/run.js', 'serve', 'examples/support-agent', ...flags];
  const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const url = await new Promise((resolve, reject) => {
    let said = '';
    const listen = (text) => {
      said += text;
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
      if (found) resolve(found);
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.on('exit', () => reject(new Error(`assay serve ended: ${said}`)));
  });
  return { url, stop: () => child.kill('SIGINT') };
}

/** What is looked at: an address, and what is done there first. */
async function pagesOf(url) {
  const read = async (path) => (await fetch(`${url}${path}`)).json();
  const listed = (await read(`/api/sessions/${session}/runs`)).runs;
  const idOf = (name) => listed.find(({ run_name }) => run_name === name).run_id;
  const newest = idOf(newestRun);
  const { rows } = await read(`/api/runs/${newest}/rows?limit=500`);
  const failed = rows.find(({ id, passed }) => id.includes('cancelOrder[twice]') && !passed);
  const result = `/api/runs/${newest}/results/${failed.index}`;
  await correct(url, result, await read(result));
  return {
    dashboard: { path: '/?dataset=orders&dataset=tone&label=!slow', act: lookAtRows },
    result: {
      path: `/runs/${newest}/results/${failed.index}?status=failed`,
      act: (page) => page.keyboard.press('d'),
    },
    compare: {
      path: `/compare?${compared.map((name) => `run=${idOf(name)}`).join('&')}`,
      act: async (page) => {
        await page
          .getByRole('table', { name: 'Scores by run' })
          .getByText(' of ')
          .first()
          .waitFor();
        await page.keyboard.press('j');
      },
    },
  };
}

/** Somebody has looked at the result, and changed their mind. */
async function correct(url, path, { result: entry }) {
  const { scores } = entry.result;
  const notes = 'Refund promised twice. The agent must report one cancellation.';
  const edits = [
    { annotation: 'double cancel?' },
    { scores: scores.map((score) => (score.key === 'correctness' ? { ...score, notes } : score)) },
    {
      annotation:
        'The second answer of the tool is read as a second success. The prompt says “confirm every cancellation”; try “confirm the final state”.',
    },
  ];
  for (const result of edits) {
    await fetch(`${url}${path}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ result }),
    });
  }
}

/** A row is open, trials are unfolded, some rows are selected. */
async function lookAtRows(page) {
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await press('j', ' ');
  await page.getByText('.eval.ts::').waitFor();
  await page.getByRole('button', { name: 'Open trials' }).first().click();
  await page.getByRole('link', { name: '~5' }).waitFor();
  const box = (name) => page.getByRole('checkbox', { name: `Select trackParcel[${name}]` });
  await box('northwind_depot').click();
  await box('northwind_sorting_centre').click({ modifiers: ['Shift'] });
  await press('j', 'j');
  await page.mouse.move(0, 0);
}

async function picture(browser, address, theme, act) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme: theme,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(address);
  await page.getByRole('main').waitFor();
  await page.waitForLoadState('networkidle');
  await act(page);
  await page.waitForLoadState('networkidle');
  const png = await page.screenshot();
  await context.close();
  return png;
}
