import { defaultView, type View } from '../../view-state.js';

/** Columns that sort descending first. */
const descendingFirst = ['latency', 'calls', 'tokens', 'cost'];

/** Cycles the sort order of a column: first direction, other direction, order of the run. */
export function sortBy(view: View, sort: string): View {
  const first = descendingFirst.includes(sort);
  if (isDefault(view, sort)) return { ...view, sort, descending: true };
  if (view.sort !== sort) return { ...view, sort, descending: first };
  if (view.descending === first) return { ...view, descending: !first };
  return { ...view, sort: defaultView.sort, descending: false };
}

/** The sort direction of a column, for `aria-sort`; `undefined` if it is not sorted. */
export function sortOf(
  view: View,
  sorts: readonly string[],
): 'ascending' | 'descending' | undefined {
  if (sorts.some((sort) => isDefault(view, sort))) return 'ascending';
  if (!sorts.includes(view.sort)) return undefined;
  return view.descending ? 'descending' : 'ascending';
}

/** Groups are sorted by their pass rate unless another order is chosen. */
function isDefault({ by, sort: sorted, descending }: View, sort: string): boolean {
  return by !== undefined && sort === 'status' && sorted === defaultView.sort && !descending;
}
