import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** The built web UI that the tests look at. */
export const builtUi = fileURLToPath(new URL('../../dist/ui', import.meta.url));

/** Where Debian and its like put the browser. The first needs half the processor time: it draws on no screen. */
const executables = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

let launched: Promise<Browser> | undefined;

/**
 * The browser of all tests of the web UI that run in this process: started once, because that takes longer than most
 * tests, and ended with the process. Error: there is none; says what to install.
 */
export function browser(): Promise<Browser> {
  const executablePath = executables.find((path) => existsSync(path));
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

const opened: BrowserContext[] = [];

/** Opens an empty page. */
export async function openPage({
  width = 1440,
  height = 900,
  theme = 'light',
}: PageOptions = {}): Promise<OpenedPage> {
  const context = await (await browser()).newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
  });
  opened.push(context);
  const page = await context.newPage();
  // Below that of a test, so that what was waited for is said.
  page.setDefaultTimeout(15_000);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    // What the server refuses, the browser logs by itself.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      faults.push(message.text());
    }
  });
  return { page, context, faults };
}

/** Closes every page that was opened; the browser stays for the next test. */
export async function closePages(): Promise<void> {
  await Promise.all(opened.splice(0).map((context) => context.close()));
}
