import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { times } from '../helpers/rounds.js';
import { type FindingOptions, findings } from './findings.js';
import { misfits } from './misfits.js';

/** The tightest width of each layout. */
export const layouts: readonly number[] = [901, 641, 320];

/** The narrowest of all; with `ROUNDS` also others. 720 pixels are 1440 at a zoom of 200 %. */
const widths = times(1) === 1 ? [320] : [1920, 1440, 1024, 901, 900, 768, 720, 700, 641, 400, 320];

export interface LookOptions extends FindingOptions {
  /**
   * Widths at which nothing may be cut, out of sight or too small to be hit. Default: the narrowest, for a kind of page
   * (`inEach`) that of each layout, and with `ROUNDS` all.
   */
  readonly at?: readonly number[] | undefined;
}

/** Fails when anything of the page as it is does not fit, or when axe finds something. Leaves the page light and wide. */
export async function looksWell(
  page: Page,
  what: string,
  options: LookOptions = {},
): Promise<void> {
  const { at = options.inEach && times(1) === 1 ? layouts : widths, ...rest } = options;
  // Higher than usual, so that more is in sight; not where that is more rows of a table, or what is over them.
  const isTable = options.selector !== undefined || (await page.getByRole('grid').count()) > 0;
  const height = isTable && times(1) === 1 ? 900 : 1600;
  for (const width of at) {
    await page.setViewportSize({ width, height });
    expect(await misfits(page), `${what} at ${width} pixels`).to.deep.equal([]);
  }
  expect(await findings(page, rest), what).to.deep.equal([]);
}
