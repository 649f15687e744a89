import type { PointerEvent } from 'react';
import { readColumns, setColumns } from '../columns/column-store.js';
import { type ColumnId, moveEdge, withoutWidths } from '../columns/columns.js';
import styles from './table-head.module.css';

/** The edge between two columns, which can be dragged; a double click resets both widths. */
export function HeadEdge({
  left,
  right,
}: {
  left: ColumnId | undefined;
  right: ColumnId | undefined;
}) {
  const drag = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const edge = event.currentTarget;
    edge.setPointerCapture(event.pointerId);
    const start = event.clientX;
    const before = readColumns();
    const [first, second] = [withWidth(left), withWidth(right)];
    const move = ({ clientX }: globalThis.PointerEvent) =>
      setColumns(moveEdge(before, first, second, clientX - start));
    edge.addEventListener('pointermove', move);
    edge.addEventListener(
      'lostpointercapture',
      () => edge.removeEventListener('pointermove', move),
      { once: true },
    );
  };
  return (
    <span
      aria-hidden="true"
      className={styles.edge}
      onPointerDown={drag}
      onDoubleClick={() => setColumns(withoutWidths(readColumns(), [left, right]))}
    />
  );
}

/** A column and its width on screen. */
export function withWidth(id: ColumnId | undefined): readonly [ColumnId, number] | undefined {
  const cell = id && document.querySelector(`[role=columnheader][data-column=${CSS.escape(id)}]`);
  return cell ? [id, cell.getBoundingClientRect().width] : undefined;
}
