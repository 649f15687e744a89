import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { getRowIndices, getRowPage } from '../../../api/client.js';
import {
  indicesOptions,
  indicesQuery,
  type RowFigures,
  useRowIndices,
} from '../../../api/row-queries.js';
import type { TableRow } from '../../../api/schema.js';
import { notifyError } from '../../../app/notices.js';
import { useFigures, useSelection, useShown } from '../../dashboard-state.js';
import type { Checked } from '../cells/check-box.js';
import { rowIndices } from '../cells/row-standing.js';
import type { Line, TableLayout } from '../scrolling/table-layout.js';

/** Rows per request for a range that is not loaded. */
const chunk = 500;

/** Selects rows one by one and in ranges. */
export function useRowSelection(
  query: string,
  layout: TableLayout,
  rowAt: (line: Line) => TableRow | undefined,
) {
  const { run } = useShown();
  const figures = useFigures();
  const { indices, select, clear } = useSelection();
  const cache = useQueryClient();
  // The first line of a range, and the other selected rows.
  const anchor = useRef<{ readonly line: number; readonly base: ReadonlySet<number> }>(undefined);
  const asked = useRef(0);

  const checkedOf = useCallback(
    (row: TableRow): Checked => {
      const all = rowIndices(row);
      const selected = all.filter((index) => indices.has(index)).length;
      return selected === 0 ? 'off' : selected === all.length ? 'on' : 'some';
    },
    [indices],
  );

  const toggle = (line: number, row: TableRow) => {
    const next = switched(indices, rowIndices(row));
    anchor.current = { line, base: next };
    asked.current += 1;
    select(next);
  };

  /** Selects all results of a group, or none if all are selected. */
  const toggleGroup = async (group: number) => {
    asked.current += 1;
    const now = asked.current;
    try {
      const { groups } = await cache.fetchQuery(indicesOptions(run.run_id, query));
      if (now === asked.current) select(switched(indices, groups?.[group] ?? []));
    } catch (error) {
      notifyError(error);
    }
  };

  /** Indices of the results on the lines from `first` to `last`, from the server if they are not loaded. */
  const indicesBetween = async (first: number, last: number): Promise<readonly number[]> => {
    const found: number[] = [];
    for (let n = first; n <= last; n += 1) {
      const line = layout.at(n);
      if (line.kind === 'detail' || line.kind === 'group') continue;
      const row = rowAt(line);
      if (row === undefined) {
        const [from, to] = [layout.at(first).position, layout.at(last).position];
        return [...found, ...(await readBetween(run.run_id, query, figures, from, to))];
      }
      found.push(...rowIndices(row));
    }
    return found;
  };

  /** Selects from the last selected row to a line; `from`: the start if there is none. */
  const extend = async (to: number, from = to) => {
    anchor.current ??= { line: from, base: indices };
    const { line, base } = anchor.current;
    asked.current += 1;
    const now = asked.current;
    try {
      const range = await indicesBetween(Math.min(line, to), Math.max(line, to));
      if (now === asked.current) select(new Set([...base, ...range]));
    } catch (error) {
      notifyError(error);
    }
  };

  return {
    checkedOf,
    toggle,
    toggleGroup,
    extend,
    isSelecting: indices.size > 0,
    clear: () => {
      anchor.current = undefined;
      clear();
    },
  };
}

/** A selection with some results, or without them if all of them are in it. */
function switched(indices: ReadonlySet<number>, its: readonly number[]): ReadonlySet<number> {
  const isAll = its.every((index) => indices.has(index));
  const gone = new Set(its);
  return isAll
    ? new Set([...indices].filter((one) => !gone.has(one)))
    : new Set([...indices, ...its]);
}

async function readBetween(
  run: string,
  query: string,
  figures: RowFigures,
  first: number,
  last: number,
): Promise<readonly number[]> {
  // Without folded trials and groups, each row is one result.
  if (figures.count === figures.filtered && figures.summary.groups === undefined) {
    const { indices } = await getRowIndices(run, indicesQuery(query));
    return indices.slice(first, last + 1);
  }
  const found: number[] = [];
  for (let offset = first; offset <= last; offset += chunk) {
    const params = new URLSearchParams(query);
    params.set('offset', String(offset));
    params.set('limit', String(Math.min(chunk, last - offset + 1)));
    const { rows } = await getRowPage(run, params);
    found.push(...rows.flatMap(rowIndices));
  }
  return found;
}

/** True if all matches are selected, and a function to select all or none. */
export function useSelectAll(query: string) {
  const { run_id: run } = useShown().run;
  const { filtered } = useFigures();
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
      notifyError,
    );
  };
  return { checked, toggle };
}
