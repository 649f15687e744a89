import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { closePages, type OpenedPage, openPage, type PageOptions } from '../helpers/browser.js';
import type { ServedProject } from '../helpers/served-project.js';
import { goWithin } from './screen.js';

/** The one page of a suite. */
export interface KeptPage {
  /** Goes to an address of the server from wherever the page is, and loads the page only when no test has done so. */
  readonly open: (path: string, options?: PageOptions) => Promise<Page>;
  /** Opens a new page without an address, for what has to be done before a page is loaded. */
  readonly blank: (options?: PageOptions) => Promise<Page>;
}

/**
 * A page for all tests of the suite that calls this, because to load the web UI takes longer than most tests; nothing may
 * go wrong in it. After a test that failed, the next one gets a new page.
 */
export function keepPage(url: () => string): KeptPage {
  let kept: OpenedPage | undefined;
  let isLoaded = false;
  const blank = async (options?: PageOptions): Promise<Page> => {
    await closePages();
    kept = await openPage(options);
    await kept.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    isLoaded = false;
    return kept.page;
  };
  afterEach(async function () {
    const faults = kept?.faults ?? [];
    await kept?.page.unrouteAll({ behavior: 'ignoreErrors' });
    isLoaded = kept?.page.url().startsWith(`${url()}/`) === true;
    if (this.currentTest?.state === 'failed' || !isLoaded) {
      await closePages();
      kept = undefined;
    }
    expect(faults).to.deep.equal([]);
  });
  const load = async (path: string, options?: PageOptions): Promise<Page> => {
    const page = await blank(options);
    await page.goto(`${url()}${path}`);
    isLoaded = true;
    return page;
  };
  return {
    blank,
    open: async (path, options = {}) => {
      if (kept === undefined || !isLoaded) return load(path, options);
      const { page } = kept;
      const { width = 1440, height = 900 } = options;
      await page.setViewportSize({ width, height });
      await page.mouse.move(0, 0);
      await page.evaluate('document.activeElement?.blur(); scrollTo(0, 0)');
      // By way of another page, so that nothing is left of the one that a test was on.
      await goWithin(page, '/nowhere');
      await page.getByRole('heading', { name: /^No page at/ }).waitFor();
      await goWithin(page, path);
      return page;
    },
  };
}

/** A server for all tests of the suite that calls this, and a page that goes on from test to test, each time to the dashboard or another address. */
export function serveKept(start: () => Promise<ServedProject>): {
  readonly served: ServedProject;
  readonly page: Page;
  readonly open: (path?: string, options?: PageOptions) => Promise<Page>;
  readonly blank: KeptPage['blank'];
} {
  let served: ServedProject | undefined;
  before(async function () {
    this.timeout(120_000);
    served = await start();
  });
  const there = (): ServedProject => {
    if (served === undefined) throw new Error('There is no server yet.');
    return served;
  };
  const kept = keepPage(() => there().url);
  let page: Page | undefined;
  return {
    blank: kept.blank,
    get served() {
      return there();
    },
    get page() {
      if (page === undefined) throw new Error('There is no page yet.');
      return page;
    },
    open: async (path = '/', options) => {
      page = await kept.open(path, options);
      await page.getByRole('grid', { name: 'Results' }).waitFor();
      return page;
    },
  };
}
