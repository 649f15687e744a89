import { type RefObject, useLayoutEffect, useState } from 'react';

/** The offset of an element in the document and its width, in pixels. */
export function usePageBox(element: RefObject<HTMLElement | null>): {
  readonly top: number;
  readonly width: number;
} {
  const [box, setBox] = useState({ top: 0, width: 0 });
  useLayoutEffect(() => {
    const measure = () => {
      const found = element.current?.getBoundingClientRect();
      if (!found) return;
      const top = Math.round(found.top + window.scrollY);
      const { width } = found;
      setBox((now) => (now.top === top && now.width === width ? now : { top, width }));
    };
    measure();
    // Observes the whole page, because elements above change the offset.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return box;
}
