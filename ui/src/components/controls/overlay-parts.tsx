import {
  Dialog as AriakitDialog,
  Menu as AriakitMenu,
  Popover as AriakitPopover,
  DialogDismiss,
  type DialogProps,
  MenuItem,
  MenuSeparator,
  type PopoverProps,
  useDialogStore,
  useMenuStore,
  usePopoverStore,
} from '@ariakit/react';
import { type ReactNode, useLayoutEffect, useMemo } from 'react';
import { holdKeys } from '../../app/held-keys.js';

/** A part that opens over the page, and its button. */
export interface OverlayProps {
  readonly label: string;
  readonly placement: 'bottom-start' | 'bottom-end';
  readonly button: HTMLElement | null;
  readonly isOpen: boolean;
  readonly setOpen: (open: boolean) => void;
  readonly className: string;
  readonly children: ReactNode;
}

/** The focus returns as it does wherever something goes: see `keepFocus`. */
const own = { unmountOnHide: true, autoFocusOnHide: false } as const;
const common = { gutter: 4, overflowPadding: 8, ...own } as const;

/** Holds back keys until what opens has the focus. */
function useHeldUntilFocus(isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen) return;
    const letGo = holdKeys();
    const onFocusIn = ({ target }: FocusEvent) => {
      if (target instanceof Element && target.closest('[data-dialog]')) letGo();
    };
    document.addEventListener('focusin', onFocusIn);
    return () => {
      document.removeEventListener('focusin', onFocusIn);
      letGo();
    };
  }, [isOpen]);
}

/** The box of a menu. The first item gets the focus, or the one with the selector `start`. */
export function MenuBox({
  label,
  button,
  isOpen,
  setOpen,
  placement,
  start,
  ...rest
}: OverlayProps & { readonly portal: boolean; readonly start: string | undefined }) {
  useHeldUntilFocus(isOpen);
  const menu = useMenuStore({ open: isOpen, setOpen, placement });
  useLayoutEffect(() => {
    menu.setAnchorElement(button);
    menu.setDisclosureElement(button);
    if (!isOpen) return;
    menu.setInitialFocus('first');
    menu.setAutoFocusOnShow(true);
  }, [menu, button, isOpen]);
  const at = useMemo(
    () =>
      start && {
        get current() {
          const box = menu.getState().contentElement;
          return box?.querySelector<HTMLElement>(start) ?? null;
        },
      },
    [menu, start],
  );
  return (
    <AriakitMenu
      store={menu}
      aria-label={label}
      {...(at && { initialFocus: at })}
      {...common}
      {...rest}
    />
  );
}

/** The box of a popover. */
export function PopoverBox({
  label,
  button,
  isOpen,
  setOpen,
  placement,
  ...rest
}: OverlayProps & Pick<PopoverProps, 'getAnchorRect'>) {
  useHeldUntilFocus(isOpen);
  const popover = usePopoverStore({ open: isOpen, setOpen, placement });
  useLayoutEffect(() => {
    popover.setAnchorElement(button);
    popover.setDisclosureElement(button);
  }, [popover, button]);
  return <AriakitPopover store={popover} portal aria-label={label} {...common} {...rest} />;
}

/** The box of a modal dialog. */
export function DialogBox({
  isOpen,
  onClose,
  ...rest
}: {
  isOpen: boolean;
  onClose: () => void;
} & DialogProps) {
  useHeldUntilFocus(isOpen);
  const dialog = useDialogStore({
    open: isOpen,
    setOpen: (open) => {
      if (!open) onClose();
    },
  });
  return <AriakitDialog store={dialog} {...own} {...rest} />;
}

export { DialogDismiss, MenuItem, MenuSeparator };
