import { type ReactNode, useState } from 'react';
import { useShortcut } from '../app/shortcuts.js';
import { buttonClass } from './button.js';
import { Icon } from './icon.js';
import { Menu } from './menu.js';

/** The export menu, which a shortcut also opens. */
export function ExportMenu({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  useShortcut('export', () => setOpen(true));
  return (
    <Menu
      label="Export"
      align="end"
      open={isOpen}
      setOpen={setOpen}
      button={{
        className: buttonClass({ look: 'ghost' }, true),
        'aria-label': 'Export',
        title: 'Export',
        children: <Icon name="export" />,
      }}
    >
      {children}
    </Menu>
  );
}

/** Saves content as a file. */
export function download(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
