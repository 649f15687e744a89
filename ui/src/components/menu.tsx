import {
  MenuItem as AriakitItem,
  Menu as AriakitMenu,
  MenuButton as AriakitMenuButton,
  type MenuButtonProps,
  type MenuItemProps,
  MenuProvider,
  MenuSeparator,
  useMenuContext,
  useStoreState,
} from '@ariakit/react';
import { type ReactNode, useEffect } from 'react';
import { classNames } from './class-names.js';
import { Kbd } from './kbd.js';
import styles from './menu.module.css';

/** The box of a menu, for popovers that look like one. */
export const menuClass = styles.menu ?? '';

/** A button and the menu it opens. `button`: the look of the button, for instance `className` and children. */
export function Menu({
  button,
  label,
  align = 'start',
  portal = false,
  open,
  setOpen,
  className,
  children,
}: {
  button: MenuButtonProps;
  label: string;
  align?: 'start' | 'end';
  /** At the end of the page, for menus in what scrolls. */
  portal?: boolean;
  /** For menus that are opened from elsewhere, too. */
  open?: boolean;
  setOpen?: (open: boolean) => void;
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    <MenuProvider
      placement={`bottom-${align}`}
      {...(open !== undefined && { open })}
      {...(setOpen && { setOpen })}
    >
      <AriakitMenuButton {...button} />
      <FocusOnOpen />
      <AriakitMenu
        portal={portal}
        gutter={4}
        overflowPadding={8}
        aria-label={label}
        className={classNames(styles.menu, className)}
        unmountOnHide
      >
        {children}
      </AriakitMenu>
    </MenuProvider>
  );
}

/** A menu that is opened from elsewhere, by a shortcut for instance, takes the focus as if its button had opened it. */
function FocusOnOpen() {
  const menu = useMenuContext();
  const isOpen = useStoreState(menu, 'open');
  useEffect(() => {
    if (menu === undefined || !isOpen || menu.getState().autoFocusOnShow) return;
    menu.setInitialFocus('first');
    menu.setAutoFocusOnShow(true);
  }, [menu, isOpen]);
  return null;
}

/** Something to choose from a menu; `note` is a second, quieter line. */
export function MenuItem({
  note,
  keys,
  current = false,
  danger = false,
  className,
  children,
  ...rest
}: MenuItemProps & { note?: ReactNode; keys?: string; current?: boolean; danger?: boolean }) {
  return (
    <AriakitItem
      className={classNames(
        styles.item,
        current && styles.current,
        danger && styles.danger,
        className,
      )}
      {...rest}
    >
      {children}
      {keys && <Kbd>{keys}</Kbd>}
      {note && <small>{note}</small>}
    </AriakitItem>
  );
}

/** A line between groups of a menu. */
export function MenuLine() {
  return <MenuSeparator className={styles.line} />;
}

/** Words in a menu that cannot be chosen. */
export function MenuCaption({ children }: { children: ReactNode }) {
  return <p className={styles.caption}>{children}</p>;
}
