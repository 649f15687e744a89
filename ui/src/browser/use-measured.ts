import { type RefObject, useLayoutEffect, useState } from 'react';

/** What is measured of an element: now, when its size changes, and when one of `depends` does. */
export function useMeasured<T extends number | boolean>(
  element: RefObject<HTMLElement | null>,
  measure: (element: HTMLElement) => T,
  first: T,
  depends: readonly unknown[],
): T {
  const [value, setValue] = useState(first);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller knows what the answer depends on.
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const look = () => setValue(measure(current));
    look();
    const observer = new ResizeObserver(look);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element, ...depends]);
  return value;
}
