import type { ReactNode } from 'react';
import { Button } from './button.js';
import { Dialog, DialogEnd } from './dialog.js';
import { Kbd } from './kbd.js';

/** Asks before something is taken away for good. The focus is on keeping it. */
export function ConfirmDialog({
  title,
  action,
  isOpen,
  onConfirm,
  onClose,
  children,
}: {
  title: ReactNode;
  /** What the button says: `Delete run`. */
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
