import { defaultView, type View } from '../view-state.js';

/** What is looked for first: the slowest, otherwise the first or the least. */
const descendingFirst = ['latency', 'calls', 'tokens', 'cost'];

/** Sorts by something: one way, then the other, then in the order of the run again. */
export function sortBy(view: View, sort: string): View {
  const first = descendingFirst.includes(sort);
  if (view.sort !== sort) return { ...view, sort, descending: first };
  if (view.descending === first) return { ...view, descending: !first };
  return { ...view, sort: defaultView.sort, descending: false };
}

/** How a column is sorted, for `aria-sort`; `undefined` when it is not. */
export function sortOf(
  view: View,
  sorts: readonly string[],
): 'ascending' | 'descending' | undefined {
  if (!sorts.includes(view.sort)) return undefined;
  return view.descending ? 'descending' : 'ascending';
}
