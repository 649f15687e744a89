import { type PointerEvent, useCallback, useState } from 'react';
import { useLocation } from 'wouter';
import { defaultView } from '../dashboard/view-state.js';
import { tableAddress } from '../result/addresses.js';

/** The one run that all charts and the table show as looked at. */
export interface RunCursor {
  /** `undefined` for none. */
  readonly id: string | undefined;
  readonly set: (id: string | undefined) => void;
  /** The pointer has left what follows it. */
  readonly leave: (event: PointerEvent) => void;
  /** Opens the dashboard of a run. */
  readonly open: (id: string) => void;
}

/** The URL of the dashboard of a run. */
export const runHref = (id: string) => tableAddress({ ...defaultView, run: id });

export function useRunCursor(): RunCursor {
  const [id, set] = useState<string>();
  const [, navigate] = useLocation();
  const leave = useCallback(({ pointerType }: PointerEvent) => {
    // A finger leaves where it has pointed to.
    if (pointerType === 'mouse') set(undefined);
  }, []);
  const open = useCallback((run: string) => navigate(runHref(run)), [navigate]);
  return { id, set, leave, open };
}

/** Pixels from the left edge of what is pointed at. */
export function startOf({ clientX, currentTarget }: PointerEvent<Element>): number {
  return clientX - currentTarget.getBoundingClientRect().left;
}
