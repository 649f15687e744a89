import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { chromiumPaths } from '../../scripts/chromium-paths.mjs';
import { afterEachFile } from './clean-up.js';

/** The built web UI that the tests look at. */
export const builtUi = fileURLToPath(new URL('../../dist/ui', import.meta.url));

let launched: Promise<Browser> | undefined;

/**
 * The browser of all tests of the web UI that run in this process: started once, because that takes longer than most
 * tests, and ended with the process. Error: there is none; says what to install.
 */
function browser(): Promise<Browser> {
  const executablePath = chromiumPaths.find((path) => existsSync(path));
  if (executablePath === undefined) {
    throw new Error('UI tests need Chromium: apt-get install chromium-headless-shell');
  }
  launched ??= chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Pages do not live long enough for compiled code to be optimized, and for their memory to be tidied meanwhile.
      '--js-flags=--no-opt --no-maglev --single-threaded-gc --min-semi-space-size=32 --max-semi-space-size=64',
    ],
  });
  return launched;
}

export interface PageOptions {
  /** Pixels. Default: 1440. */
  readonly width?: number;
  /** Pixels. Default: 900. */
  readonly height?: number;
  /** Default: light. */
  readonly theme?: 'light' | 'dark';
}

/** A page of its own, with everything that went wrong in it: exceptions, and errors on its console. */
export interface OpenedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly faults: string[];
}

const opened: Page[] = [];
/** As many as a test usually has at a time, each with the web UI in its cache. */
const spares: Page[] = [];

/** Opens an empty page. */
export async function openPage({
  width = 1440,
  height = 900,
  theme = 'light',
}: PageOptions = {}): Promise<OpenedPage> {
  const page = spares.pop() ?? (await newPage());
  opened.push(page);
  await page.setViewportSize({ width, height });
  // All that a test before may have set on a page that was kept.
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce', forcedColors: 'none' });
  // Below that of a test, so that what was waited for is said.
  page.setDefaultTimeout(30_000);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    // What the server refuses, the browser logs by itself.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      faults.push(message.text());
    }
  });
  return { page, context: page.context(), faults };
}

async function newPage(): Promise<Page> {
  return await (await (await browser()).newContext()).newPage();
}

afterEachFile('pages', closePages);

/**
 * Closes every page that was opened, at the end of each test file, but keeps two for the next test, emptied: the browser
 * takes as long to open one as the web UI takes to show a table.
 */
export async function closePages(): Promise<void> {
  for (const page of opened.splice(0)) {
    if (spares.length < 2 && (await isEmptied(page))) spares.unshift(page);
    else await page.context().close();
  }
}

/** Takes from a page what a test has done to it; false when that cannot be done. */
async function isEmptied(page: Page): Promise<boolean> {
  const context = page.context();
  for (const event of ['pageerror', 'console', 'dialog', 'request', 'page'] as const) {
    page.removeAllListeners(event);
    context.removeAllListeners(event);
  }
  try {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.clearPermissions();
    for (const other of context.pages()) if (other !== page) await other.close();
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    await page.mouse.move(0, 0);
    await page.goto('about:blank');
    return true;
  } catch {
    return false;
  }
}
