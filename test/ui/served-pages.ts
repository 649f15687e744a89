import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { closePages, type PageOptions } from '../helpers/browser.js';
import type { ServedProject } from '../helpers/served-project.js';
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

function there<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('There is none yet.');
  return value;
}
