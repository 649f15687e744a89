import type { KeyboardEvent } from 'react';

/** Keys of an editor: Ctrl or Cmd with Enter saves, Esc leaves everything as it was. */
export function editKeys({ save, cancel }: { save: () => void; cancel: () => void }) {
  return (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
    else if (event.key === 'Escape') cancel();
    else return;
    // Not for the page, which would go back to the table.
    event.preventDefault();
    event.stopPropagation();
  };
}
