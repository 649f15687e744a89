import type { MenuItemProps } from '@ariakit/react';
import { type ComponentPropsWithRef, type ReactNode, useRef, useState } from 'react';
import { useConnectionLost } from '../../app/connection-lost.js';
import { isReport } from '../../app/report-mode.js';
import { useShortcut } from '../../app/shortcuts.js';
import { classNames } from '../class-names.js';
import { Icon } from '../icons/icon.js';
import type { IconName } from '../icons/icon-paths.js';
import { buttonClass, usePressable } from './button.js';
import { Kbd } from './kbd.js';
import { overlays } from './loadable.js';
import styles from './menu.module.css';

/** The box of a menu, for popovers that look like one. */
export const menuClass = styles.menu ?? '';

/** A button and its menu. `button`: props of the button, for example `className` and children. */
export function Menu({
  button,
  label,
  align = 'start',
  portal = false,
  open: isOpened,
  setOpen: onOpen,
  start,
  className,
  children,
}: {
  button: ComponentPropsWithRef<'button'>;
  label: string;
  align?: 'start' | 'end';
  /** Renders at the end of the page, for menus in scrolling elements. */
  portal?: boolean;
  /** For menus that can also be opened from elsewhere. */
  open?: boolean;
  setOpen?: (open: boolean) => void;
  /** A selector of the item that gets the focus. Default: the first. */
  start?: string | undefined;
  className?: string | undefined;
  children: ReactNode;
}) {
  const [isOpenHere, setOpenHere] = useState(false);
  const isOpen = isOpened ?? isOpenHere;
  const setOpen = onOpen ?? setOpenHere;
  const anchor = useRef<HTMLButtonElement>(null);
  const parts = overlays.use(isOpen);
  return (
    <>
      <button
        type="button"
        ref={anchor}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' || button.disabled) return;
          event.preventDefault();
          setOpen(true);
        }}
        {...usePressable(button)}
      />
      {parts && (
        <parts.MenuBox
          label={label}
          placement={`bottom-${align}`}
          portal={portal}
          button={anchor.current}
          isOpen={isOpen}
          setOpen={setOpen}
          start={start}
          className={classNames(styles.menu, className)}
        >
          {children}
        </parts.MenuBox>
      )}
    </>
  );
}

/** The attribute of the first item for exports. */
export const exportStart = { 'data-export': true };

/** A menu behind an icon. With `hasExport`, the shortcut for exports opens it, too, with the focus on them. */
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
  const [opened, setOpened] = useState<'first' | 'export'>();
  useShortcut('export', () => setOpened('export'), hasExport);
  return (
    <Menu
      label={label}
      align="end"
      open={opened !== undefined}
      setOpen={(open) => setOpened(open ? 'first' : undefined)}
      start={opened === 'export' ? '[data-export]' : undefined}
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

/** A menu item; `note` is a second, quieter line. */
export function MenuItem({
  note,
  keys,
  current = false,
  danger = false,
  disabled = false,
  needsServer = false,
  className,
  children,
  ...rest
}: MenuItemProps & {
  note?: ReactNode;
  keys?: string;
  current?: boolean;
  danger?: boolean;
  /** Disabled while there is no connection, and not there in a report. */
  needsServer?: boolean;
}) {
  const parts = overlays.use(true);
  const isLost = useConnectionLost();
  if (isReport && needsServer) return null;
  return (
    parts && (
      <parts.MenuItem
        disabled={disabled || (needsServer && isLost)}
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
      </parts.MenuItem>
    )
  );
}

/** A line between groups of a menu. */
export function MenuLine() {
  const parts = overlays.use(true);
  return parts && <parts.MenuSeparator />;
}

/** Text in a menu. */
export function MenuCaption({ children }: { children: ReactNode }) {
  return <p className={styles.caption}>{children}</p>;
}
