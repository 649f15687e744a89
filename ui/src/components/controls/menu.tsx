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
import { type ReactNode, useEffect, useState } from 'react';
import { useShortcut } from '../../app/shortcuts.js';
import { classNames } from '../class-names.js';
import { Icon } from '../icons/icon.js';
import type { IconName } from '../icons/icon-paths.js';
import { buttonClass } from './button.js';
import { Kbd } from './kbd.js';
import styles from './menu.module.css';

/** The box of a menu, for popovers that look like one. */
export const menuClass = styles.menu ?? '';

/** A button and its menu. `button`: props of the button, for example `className` and children. */
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
  /** Renders at the end of the page, for menus in scrolling elements. */
  portal?: boolean;
  /** For menus that can also be opened from elsewhere. */
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

/** A menu behind an icon. With `hasExport`, the shortcut for exports opens it, too. */
export function IconMenu({
  icon,
  label,
  hasExport = false,
  children,
}: {
  icon: IconName;
  label: string;
  hasExport?: boolean;
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  useShortcut('export', () => setOpen(true), hasExport);
  return (
    <Menu
      label={label}
      align="end"
      open={isOpen}
      setOpen={setOpen}
      button={{
        className: buttonClass({ look: 'ghost' }, true),
        'aria-label': label,
        title: label,
        children: <Icon name={icon} />,
      }}
    >
      {children}
    </Menu>
  );
}

/** Moves the focus into a menu that was opened from elsewhere, such as by a shortcut, as its button would. */
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

/** A menu item; `note` is a second, quieter line. */
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

/** Text in a menu. */
export function MenuCaption({ children }: { children: ReactNode }) {
  return <p className={styles.caption}>{children}</p>;
}
