import { useQuery } from '@tanstack/react-query';
import { keys } from '../api/keys.js';
import { call } from '../api/request.js';
import type { Trend } from '../api/schema.js';
import { useUrlView } from '../app/url-view.js';
import { trendsAddress } from '../result/addresses.js';
import { parseTrendsView, renderTrendsView, type TrendsView } from './view-state.js';

/** The view in the URL of the trends of a session, and how to set it. */
export const useTrendsView = (session: string) =>
  useUrlView(trendsAddress(session), parseTrendsView, renderTrendsView);

export type SetTrendsView = ReturnType<typeof useTrendsView>[1];

/** The trend of a session, read again when a listing changes; keeps the previous answer until there is a new one. */
export function useTrend(session: string, { line, baseline }: TrendsView) {
  const query = new URLSearchParams();
  if (line !== undefined) query.append('config', line);
  if (baseline !== undefined) query.append('baseline', baseline);
  return useQuery<Trend>({
    queryKey: keys.trend(session, String(query)),
    queryFn: ({ signal }) =>
      call('get', '/api/sessions/{session_name}/trend', {
        path: { session_name: session },
        query,
        signal,
      }),
    // Scores that were set meanwhile, here or elsewhere, count.
    refetchOnMount: 'always',
    placeholderData: (before) => (before?.session_name === session ? before : undefined),
  });
}
