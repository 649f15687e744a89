import { type RefObject, useLayoutEffect, useState } from 'react';

/** Pixels of the column of evaluations, and between columns, as in the style sheet. */
const idWidth = 250;
const gap = 24;

/** Where the rows begin in the page, and how wide the column of a run is, in pixels. */
export function useLayout(
  grid: RefObject<HTMLElement | null>,
  runs: number,
): { readonly top: number; readonly width: number } {
  const [layout, setLayout] = useState({ top: 0, width: 320 });
  useLayoutEffect(() => {
    const measure = () => {
      const body = grid.current?.querySelector<HTMLElement>('[role=rowgroup]');
      if (!body) return;
      const { top: at, width: whole } = body.getBoundingClientRect();
      const isNarrow = window.innerWidth <= 640;
      const inner = whole - 2 * (isNarrow ? 12 : 16);
      const columns = (inner - Math.min(idWidth, whole * 0.2) - gap * runs) / runs;
      const top = Math.round(at + window.scrollY);
      const width = Math.round(isNarrow ? inner - 12 : columns);
      setLayout((now) => (now.top === top && now.width === width ? now : { top, width }));
    };
    measure();
    // What is above may grow or shrink, too.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [grid, runs]);
  return layout;
}
