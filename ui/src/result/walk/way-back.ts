import { useHistoryState } from 'wouter/use-browser-location';
import type { View } from '../../dashboard/view-state.js';
import { tableAddress } from './addresses.js';

/** What the history keeps of where a result was opened from, when that was no table. */
export interface OpenedFrom {
  /** Address of a comparison. */
  readonly comparison: string;
  /** Of the pair among those that match. */
  readonly position: number;
}

/** The way back from a result. */
export interface WayBack {
  readonly href: string;
  readonly text: string;
  /** Goes with every step to another result, so that the way back stays the same. */
  readonly state: OpenedFrom | null;
}

/** Where the result in sight was opened from: a comparison, or the table as it was. */
export function useWayBack(view: View): WayBack {
  const state = useHistoryState<Partial<OpenedFrom> | null>();
  const comparison = state?.comparison;
  const position = Math.max(0, Math.trunc(Number(state?.position)) || 0);
  return typeof comparison === 'string' && comparison.startsWith('/compare?')
    ? { href: comparison, text: 'Compare', state: { comparison, position } }
    : { href: tableAddress(view), text: 'Results', state: null };
}
