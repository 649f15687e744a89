import { Fragment, useState } from 'react';
import { Dialog } from '../components/controls/dialog.js';
import { Kbd } from '../components/controls/kbd.js';
import styles from './shortcut-sheet.module.css';
import { shortcuts, useShortcut } from './shortcuts.js';

/** The list of shortcuts, which `?` opens. */
export function ShortcutSheet() {
  const [isOpen, setOpen] = useState(false);
  useShortcut('help', () => setOpen(true));
  return (
    <Dialog
      title="Shortcuts"
      isOpen={isOpen}
      onClose={() => setOpen(false)}
      closable={false}
      width={560}
    >
      <dl className={styles.keys}>
        {Object.values(shortcuts).map(({ shown, text }) => (
          <Fragment key={text}>
            <dt>
              {shown.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </Fragment>
        ))}
      </dl>
    </Dialog>
  );
}
