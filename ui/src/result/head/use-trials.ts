import { useQuery } from '@tanstack/react-query';
import { getRowPage } from '../../api/client.js';
import { keys } from '../../api/keys.js';
import type { ResultPage, TableRow } from '../../api/schema.js';

/** Rows that are asked for at a time; more trials than that are shown around the one in sight. */
const most = 100;

/** The trials of the same evaluation, in their order. They stand in a run one after the other. */
export function useTrials({ run_id: run, index, result }: ResultPage, trial: number) {
  const first = Math.max(0, index - trial + 1, index - most / 2);
  return useQuery({
    // Kept like a page of the table, so events keep it fresh.
    queryKey: keys.rowPage(run, `trials from ${first}`, 0),
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ offset: String(first), limit: String(most) });
      return getRowPage(run, query, signal);
    },
    select: ({ rows }): readonly TableRow[] =>
      rows.filter(({ trial_of }) => trial_of === result.trial_of),
  });
}
