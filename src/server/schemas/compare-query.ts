import { z } from 'zod';
import { type Change, changes } from '../../compare/cases/change.js';
import type { ChangeRule } from '../compare/pair-filter.js';
import { type PairOrder, pairSortFields } from '../compare/pair-order.js';
import type { Choice } from '../rows/row-filter.js';
import { readScoreKey, rowsQuery } from './row-query.js';
import { shownAs } from './shown-as.js';

/** Maximum runs of a comparison. */
const mostRuns = 4;

const runs = z
  .array(z.string(), { error: `must be given 2 to ${mostRuns} times, the base first` })
  .min(2, { error: `must be given 2 to ${mostRuns} times, the base first` })
  .max(mostRuns, { error: `must be given at most ${mostRuns} times` })
  .meta({
    description: `2 to ${mostRuns} run ids; the first is the base.`,
    override: { minItems: 2, maxItems: mostRuns },
  });

/** Parameters of a comparison. */
export const compareQuery = z.strictObject({ run: runs });

const changeChoice = rowsQuery.shape.label
  .transform(({ include, exclude }, context): Choice<ChangeRule> => {
    const read = (texts: readonly string[]) =>
      texts.flatMap((text) => {
        const rule = readChange(text);
        if (rule !== undefined) return [rule];
        const message = `must be one of ${changes.join(', ')}, with :1 to :${mostRuns - 1} for one of the runs, not ${JSON.stringify(text.slice(0, 100))}`;
        context.addIssue({ code: 'custom', message });
        return [];
      });
    return { include: read(include), exclude: read(exclude) };
  })
  .meta({
    description: `The change of a case in any of the runs after the base: ${changes.join(', ')}; for one of the runs, add its position in \`run\`: \`regressed:1\`. May repeat, and exclude with \`!\` before the value.`,
    override: shownAs({ type: 'array', items: { type: 'string' } }),
  });

const sort = z
  .array(z.string())
  .max(1, { error: 'must be given once' })
  .optional()
  .transform((texts, context): PairOrder['by'] => {
    const [text = 'index'] = texts ?? [];
    const by = readSort(text);
    if (by !== undefined) return by;
    const message = `must be ${pairSortFields.join(', ')} or score:KEY, not ${JSON.stringify(text.slice(0, 100))}`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .meta({
    description: `\`${pairSortFields.join('`, `')}\` or \`score:KEY\`. \`index\`: the order of the base, then what only other runs have. \`change\`: regressed first. \`passed\` (the share of trials), \`latency\`, \`cost\`, \`tokens\`, \`calls\` (means over trials) and scores: by the difference from the base in the first other run that has it; of values with \`better: lower\`, the largest rise first. Equal ones follow by index; those without the value come last.`,
    override: shownAs({ type: 'string', default: 'index' }),
  });

// What is out of date is known of one run at a time.
const {
  offset,
  limit,
  order,
  fold: _,
  sort: __,
  field: ___,
  changed: ____,
  ...filters
} = rowsQuery.shape;

/** Parameters of the pairs of a comparison. */
export const pairsQuery = z
  .strictObject({ run: runs, offset, limit, sort, order, ...filters, change: changeChoice })
  .superRefine(({ run, change: { include, exclude } }, context) => {
    if ([...include, ...exclude].every((rule) => rule.run === undefined || rule.run < run.length)) {
      return;
    }
    const message = `names a run that is not compared: there are ${run.length}, the base being 0`;
    context.addIssue({ code: 'custom', path: ['change'], message });
  });

function readChange(text: string): ChangeRule | undefined {
  const [, name, run] = /^([a-z_]+)(?::([1-9]))?$/.exec(text) ?? [];
  const known = changes.find((one): one is Change => one === name);
  if (known === undefined || Number(run ?? 1) >= mostRuns) return undefined;
  return run === undefined ? { change: known } : { change: known, run: Number(run) };
}

function readSort(text: string): PairOrder['by'] | undefined {
  return readScoreKey(text) ?? pairSortFields.find((field) => field === text);
}
