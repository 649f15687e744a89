import { getRowIndices } from '../../api/client.js';
import { messageOf } from '../../api/problem.js';
import { indicesQuery, type RowFigures, useRowIndices } from '../../api/row-queries.js';
import { notify } from '../../app/notices.js';
import { useSelection } from '../selection.js';
import type { Checked } from './check-box.js';

/** Whether all that match are selected, and how to select all of them, or none. */
export function useSelectAll(run: string, query: string, { filtered }: RowFigures) {
  const { indices, select, clear } = useSelection();
  const mayBeAll = filtered > 0 && indices.size >= filtered;
  const { data: matching } = useRowIndices(run, query, mayBeAll);
  const isAll = mayBeAll && matching?.every((index) => indices.has(index)) === true;
  const checked: Checked = indices.size === 0 ? 'off' : isAll ? 'on' : 'some';
  const toggle = () => {
    if (isAll) {
      clear();
      return;
    }
    getRowIndices(run, indicesQuery(query)).then(
      (answer) => select(new Set(answer.indices)),
      (error: unknown) => notify({ kind: 'error', text: messageOf(error) }),
    );
  };
  return { checked, toggle };
}
