import type { VirtualItem } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef } from 'react';

/** How a list was left. */
interface Remembered {
  readonly query: string;
  readonly active: number;
  readonly opened: ReadonlySet<string>;
  readonly measured: VirtualItem[];
  readonly scroll: number;
}

let last: Remembered | undefined;

/** How the list of a query was left, when it is the one that was left last. */
export function recall(query: string): Remembered | undefined {
  return last?.query === query ? last : undefined;
}

/** Remembers how a list is left, and scrolls back there when the reader returns to it. */
export function useRemembered(
  query: string,
  now: {
    readonly active: number;
    readonly opened: ReadonlySet<string>;
    readonly measured: () => VirtualItem[];
  },
): void {
  const latest = useRef({ query, ...now });
  const scroll = useRef(0);
  useLayoutEffect(() => {
    latest.current = { query, ...now };
  });
  useEffect(() => {
    const note = () => {
      scroll.current = window.scrollY;
    };
    const before = recall(latest.current.query);
    if (before !== undefined) window.scrollTo(0, before.scroll);
    note();
    window.addEventListener('scroll', note, { passive: true });
    return () => {
      window.removeEventListener('scroll', note);
      const { measured, ...rest } = latest.current;
      last = { ...rest, measured: measured(), scroll: scroll.current };
    };
  }, []);
}
