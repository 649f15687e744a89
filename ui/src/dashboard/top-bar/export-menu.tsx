import { useState } from 'react';
import type { Run } from '../../api/client.js';
import type { RowFigures } from '../../api/row-queries.js';
import { useShortcut } from '../../app/shortcuts.js';
import { buttonClass } from '../../components/button.js';
import { Icon } from '../../components/icon.js';
import { Menu } from '../../components/menu.js';
import { ExportItems } from './export-items.js';

/** The menu of files to save. */
export function ExportMenu({ run, figures }: { run: Run; figures: RowFigures | undefined }) {
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
      <ExportItems run={run} figures={figures} />
    </Menu>
  );
}
