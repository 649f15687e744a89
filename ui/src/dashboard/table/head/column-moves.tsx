import type { KeyboardEvent, MouseEvent, PointerEvent } from 'react';
import { readColumns, setColumns } from '../columns/column-store.js';
import {
  type ColumnId,
  moveColumn,
  moveEdge,
  visibleColumns,
  withoutWidths,
} from '../columns/columns.js';
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
function withWidth(id: ColumnId | undefined): readonly [ColumnId, number] | undefined {
  const cell = id && document.querySelector(`[role=columnheader][data-column=${CSS.escape(id)}]`);
  return cell ? [id, cell.getBoundingClientRect().width] : undefined;
}

/** Pixels before a press becomes a drag. */
const dragAfter = 6;
/** Pixels that a key press moves an edge. */
const keyStep = 16;

/** Moves a column: drag its name, or Shift and an arrow key; Ctrl and an arrow key make it wider and narrower. */
export function useColumnMoves(id: ColumnId) {
  return {
    title: 'Drag, or Shift+← →, to move; Ctrl+← → for the width',
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button === 0 && event.pointerType === 'mouse') dragColumn(id, event);
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
      if (by === 0 || !(event.shiftKey || event.ctrlKey)) return;
      event.preventDefault();
      if (event.shiftKey) setColumns(moveColumn(readColumns(), id, by));
      else widen(id, by * keyStep);
    },
  };
}

function widen(id: ColumnId, by: number): void {
  const columns = readColumns();
  const visible = visibleColumns(columns);
  const next = visible[visible.indexOf(id) + 1];
  // The last column shares its width with the previous one.
  const before = visible[visible.indexOf(id) - 1];
  setColumns(
    next === undefined
      ? moveEdge(columns, withWidth(before), withWidth(id), -by)
      : moveEdge(columns, withWidth(id), withWidth(next), by),
  );
}

function dragColumn(id: ColumnId, start: PointerEvent<HTMLElement>): void {
  const button = start.currentTarget;
  let isDrag = false;
  const move = ({ clientX }: globalThis.PointerEvent) => {
    if (!isDrag && Math.abs(clientX - start.clientX) < dragAfter) return;
    isDrag = true;
    document.body.style.cursor = 'grabbing';
    const columns = readColumns();
    const visible = visibleColumns(columns);
    const at = visible.indexOf(id);
    const middle = (neighbour: ColumnId | undefined) => {
      if (neighbour === undefined) return undefined;
      const box = document
        .querySelector(`[role=columnheader][data-column=${CSS.escape(neighbour)}]`)
        ?.getBoundingClientRect();
      return box && box.left + box.width / 2;
    };
    const before = middle(visible[at - 1]);
    const after = middle(visible[at + 1]);
    if (before !== undefined && clientX < before) setColumns(moveColumn(columns, id, -1));
    else if (after !== undefined && clientX > after) setColumns(moveColumn(columns, id, 1));
  };
  const end = () => {
    document.removeEventListener('pointermove', move);
    document.removeEventListener('pointerup', end);
    document.removeEventListener('pointercancel', end);
    document.body.style.cursor = '';
    // Ignores the click at the end of a drag.
    if (isDrag) button.addEventListener('click', swallow, { capture: true, once: true });
    setTimeout(() => button.removeEventListener('click', swallow, { capture: true }));
  };
  document.addEventListener('pointermove', move);
  document.addEventListener('pointerup', end);
  document.addEventListener('pointercancel', end);
}

function swallow(event: Event | MouseEvent): void {
  event.preventDefault();
  event.stopPropagation();
}
