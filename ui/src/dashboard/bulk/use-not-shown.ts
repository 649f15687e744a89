import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { indicesOptions, type RowFigures } from '../../api/row-queries.js';
import { isFolded } from '../groups/folds.js';
import { useSelection } from '../selection.js';
import { useView } from '../use-view.js';

/** The number of selected results that do not match the filters, or are in folded groups. */
export function useNotShown(run: string, figures: RowFigures, query: string): number {
  const { indices: selected } = useSelection();
  const [{ folds }] = useView();
  const { groups } = figures.summary;
  const isPart =
    figures.filtered < figures.total || groups?.some(({ key }) => isFolded(folds, key)) === true;
  const { data } = useQuery({
    ...indicesOptions(run, query),
    enabled: isPart && selected.size > 0,
    placeholderData: keepPreviousData,
  });
  return useMemo(() => {
    if (!isPart || data === undefined) return 0;
    const open = data.groups?.filter((_, n) => !isFolded(folds, groups?.[n]?.key ?? null));
    const shown = new Set(open?.flat() ?? data.indices);
    return [...selected].filter((index) => !shown.has(index)).length;
  }, [isPart, data, folds, groups, selected]);
}
