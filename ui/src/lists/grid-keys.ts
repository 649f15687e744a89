import type { KeyboardEvent } from 'react';

/** The effect of a key in the table. */
export type GridCommand =
  | { readonly type: 'move'; readonly by: number; readonly isRange: boolean }
  | { readonly type: 'first' | 'last'; readonly isRange: boolean }
  | { readonly type: 'open' | 'toggle' | 'select' | 'selectTo' }
  /** `isAll`: of all groups, with Shift. */
  | { readonly type: 'expand' | 'close'; readonly isAll: boolean }
  | { readonly type: 'selectAll' | 'selectNone' };

/** The command of a key; `undefined` if the table does not use it. `page`: the number of visible lines. */
export function gridCommand(
  event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  page: number,
): GridCommand | undefined {
  const { key, shiftKey: isRange } = event;
  if (event.altKey) return undefined;
  if (event.ctrlKey || event.metaKey) {
    if (key === 'a') return { type: 'selectAll' };
    if (key === 'Home') return { type: 'first', isRange };
    return key === 'End' ? { type: 'last', isRange } : undefined;
  }
  switch (key) {
    case 'ArrowDown':
    case 'j':
    case 'J':
      return { type: 'move', by: 1, isRange };
    case 'ArrowUp':
    case 'k':
    case 'K':
      return { type: 'move', by: -1, isRange };
    case 'PageDown':
      return { type: 'move', by: page, isRange };
    case 'PageUp':
      return { type: 'move', by: -page, isRange };
    case 'Home':
      return { type: 'first', isRange };
    case 'End':
      return { type: 'last', isRange };
    case 'Enter':
      return { type: 'open' };
    case ' ':
      return { type: 'toggle' };
    case 'ArrowRight':
      return { type: 'expand', isAll: isRange };
    case 'ArrowLeft':
      return { type: 'close', isAll: isRange };
    case 'x':
      return { type: 'select' };
    case 'X':
      return { type: 'selectTo' };
    case 'Escape':
      return { type: 'selectNone' };
    default:
      return undefined;
  }
}
