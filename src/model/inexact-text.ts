import { countOf, countOfAll } from '../text/count-text.js';

const mostReasons = 3;

/**
 * `12 of 13 outputs cannot be graded again: they are not stored as the target returned them (getters: .text). …`.
 * `of`: the number of outputs that were to be graded; absent if it is not known.
 */
export function inexactText(
  count: number,
  of: number | undefined,
  reasons: Iterable<string>,
): string {
  const all = [...reasons].filter((reason) => reason !== '');
  const named = all.slice(0, mostReasons).join('; ');
  const more = all.length > mostReasons ? `; ${all.length - mostReasons} more` : '';
  const which = of === undefined ? countOf(count, 'output') : countOfAll(count, of, 'output');
  const are = count === 1 ? 'it is' : 'they are';
  const them = count === 1 ? 'it' : 'them';
  return `${which} cannot be graded again: ${are} not stored as the target returned ${them} (${named}${more}). Return plain data, or rerun`;
}
