import { type ReactNode, useId, useState } from 'react';
import { classNames } from '../class-names.js';
import { Icon } from '../icons/icon.js';
import { Button, buttonClass } from './button.js';
import styles from './dialog.module.css';
import { Kbd } from './kbd.js';
import { overlays } from './loadable.js';

/** A modal dialog: it traps the focus, Esc closes it, and the focus returns to where it was. */
export function Dialog({
  title,
  isOpen,
  onClose,
  isAlert = false,
  closable = !isAlert,
  width,
  tools,
  children,
}: {
  title: ReactNode;
  isOpen: boolean;
  onClose: () => void;
  /** For a question that must be answered first. */
  isAlert?: boolean;
  /** Show a close button in the corner. */
  closable?: boolean;
  /** Pixels. */
  width?: number;
  /** Controls beside the title. */
  tools?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  const [wasOpen, setWasOpen] = useState(false);
  if (isOpen && !wasOpen) setWasOpen(true);
  const parts = overlays.use(wasOpen);
  if (!wasOpen || parts === undefined) return null;
  return (
    <parts.DialogBox
      isOpen={isOpen}
      onClose={onClose}
      aria-labelledby={id}
      role={isAlert ? 'alertdialog' : 'dialog'}
      backdrop={<div className={styles.backdrop} />}
      className={classNames(styles.dialog, isAlert && styles.narrow)}
      {...(width && { style: { '--dialog-width': `${width}px` } as object })}
    >
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {tools}
        {closable && (
          <parts.DialogDismiss
            aria-label="Close"
            className={buttonClass({ look: 'ghost', small: true }, true)}
          >
            <Icon name="x" />
          </parts.DialogDismiss>
        )}
      </div>
      {children}
    </parts.DialogBox>
  );
}

/** The buttons at the end of a dialog. */
export function DialogEnd({ children }: { children: ReactNode }) {
  return <div className={styles.end}>{children}</div>;
}

/** Asks before the server deletes or stops something. The focus is on Cancel. */
export function ConfirmDialog({
  title,
  action,
  isOpen,
  onConfirm,
  onClose,
  children,
}: {
  title: ReactNode;
  /** The label of the button: `Delete run`. */
  action: string;
  isOpen: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose} isAlert>
      <p>{children}</p>
      <DialogEnd>
        <Button autoFocus onClick={onClose}>
          Keep <Kbd>esc</Kbd>
        </Button>
        <Button
          look="danger"
          needsServer
          onClick={() => {
            onClose();
            onConfirm();
          }}
        >
          {action}
        </Button>
      </DialogEnd>
    </Dialog>
  );
}
