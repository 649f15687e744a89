import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds, as `rule: element`. */
export async function findings(
  page: Page,
  {
    selector,
    rules,
  }: {
    /** A part of the page. Default: all of it. */
    readonly selector?: string | undefined;
    /** Default: all. */
    readonly rules?: readonly string[] | undefined;
  } = {},
): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe);
  const context = selector === undefined ? 'document' : JSON.stringify(selector);
  const options = JSON.stringify({
    resultTypes: ['violations'],
    preload: false,
    ...(rules && { runOnly: rules }),
  });
  const { violations } = (await page.evaluate(`axe.run(${context}, ${options})`)) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html }) => `${id}: ${html}`),
  );
}
