import { compareRuns } from '../../compare/compare-runs.js';
import { ignoreErrorsOf } from '../../compare/compared-run.js';
import { type OpenedForComparison, openForComparison } from '../../compare/open-for-comparison.js';
import { compareVariants } from '../../compare/variants/compare-variants.js';
import type { ReferenceOptions } from '../../store/listing/resolve-reference.js';
import type { Store } from '../../store/store.js';
import { type ComparisonJson, toComparisonJson } from './compare-json.js';
import { readShown } from './compare-shown.js';

/** Opens runs, or baseline files, and compares them with the first. Errors: those of `openForComparison` and `ignoreErrorsOf`. */
export async function compareToJson(
  store: Store,
  references: readonly string[],
  options: ReferenceOptions & { readonly ignoreErrors: boolean; readonly limit: number },
): Promise<ComparisonJson> {
  const { ignoreErrors, limit } = options;
  const opened: OpenedForComparison[] = [];
  try {
    for (const one of references) opened.push(await openForComparison(store, one, options));
    const [base, ...others] = ignoreErrors ? opened.map(ignoreErrorsOf) : opened;
    if (base === undefined) throw new Error('there is a base');
    const runs = compareRuns(base, others);
    const columns = Number.POSITIVE_INFINITY;
    const shown = await readShown(runs, { limit, only: undefined, columns });
    return toComparisonJson(
      runs,
      shown,
      others.length > 1 ? compareVariants(base, others) : undefined,
    );
  } finally {
    for (const run of opened) await run.close();
  }
}
