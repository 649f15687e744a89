import { useHistoryState } from 'wouter/use-browser-location';
import type { View } from '../../dashboard/view-state.js';
import { tableAddress } from './addresses.js';

/** The history state of a result that was opened from a comparison. */
export interface OpenedFrom {
  /** The URL of the comparison. */
  readonly comparison: string;
  /** The position of the pair among the matching ones. */
  readonly position: number;
}

/** The way back from a result. */
export interface WayBack {
  readonly href: string;
  readonly text: string;
  /** Passed on with each navigation, so that the way back stays the same. */
  readonly state: OpenedFrom | null;
}

/** The way back from the current result: to the comparison, or to the table with its view. */
export function useWayBack(view: View): WayBack {
  const state = useHistoryState<Partial<OpenedFrom> | null>();
  const comparison = state?.comparison;
  const position = Math.max(0, Math.trunc(Number(state?.position)) || 0);
  return typeof comparison === 'string' && comparison.startsWith('/compare?')
    ? { href: comparison, text: 'Compare', state: { comparison, position } }
    : { href: tableAddress(view), text: 'Results', state: null };
}
