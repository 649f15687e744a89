import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { closePages, type OpenedPage, type PageOptions } from '../helpers/browser.js';
import type { ServedProject } from '../helpers/served-project.js';
import { goWithin } from './screen.js';
import { openTable } from './table-project.js';

/** What the tests of a suite work on. */
export interface ServedPages {
  readonly served: ServedProject;
  /** The page that was opened last. */
  readonly page: Page;
  /** Opens the dashboard at an address of the server, and waits for its table. */
  readonly open: (path?: string, options?: PageOptions) => Promise<Page>;
}

/**
 * A server for all tests of the suite that calls this, or one for each test; nothing may go wrong in a page that a test
 * opens.
 */
export function servePages(
  start: () => Promise<ServedProject>,
  lifetime: 'suite' | 'test' = 'suite',
): ServedPages {
  const begin = lifetime === 'suite' ? before : beforeEach;
  let served: ServedProject | undefined;
  let page: Page | undefined;
  let faults: readonly string[] = [];
  begin(async function () {
    this.timeout(120_000);
    served = await start();
  });
  afterEach(async () => {
    await closePages();
    expect(faults).to.deep.equal([]);
  });
  return {
    get served() {
      return there(served);
    },
    get page() {
      return there(page);
    },
    open: async (path, options) => {
      ({ page, faults } = await openTable(there(served), path, options));
      return page;
    },
  };
}

/** A server and one page of it for all tests of the suite that calls this; nothing may go wrong in it. */
export function serveOnePage(start: () => Promise<ServedProject>): ServedPages {
  let served: ServedProject | undefined;
  let opened: OpenedPage | undefined;
  before(async function () {
    this.timeout(120_000);
    served = await start();
    opened = await openTable(served);
  });
  afterEach(() => expect(there(opened).faults).to.deep.equal([]));
  after(closePages);
  return {
    get served() {
      return there(served);
    },
    get page() {
      return there(opened).page;
    },
    open: async (path = '/', { width = 1440, height = 900 } = {}) => {
      const { page } = there(opened);
      await page.setViewportSize({ width, height });
      await goWithin(page, path);
      await page.getByRole('grid', { name: 'Results' }).waitFor();
      return page;
    },
  };
}

function there<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('There is none yet.');
  return value;
}
