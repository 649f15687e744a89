import type { PopoverProps } from '@ariakit/react';
import { type ComponentPropsWithRef, type ReactNode, useRef } from 'react';
import { overlays } from './loadable.js';

/** A button, and a popover with more than a menu. `button`: props of the button. */
export function Popup({
  button,
  label,
  align = 'start',
  isOpen,
  setOpen,
  className,
  getAnchorRect,
  children,
}: {
  button: ComponentPropsWithRef<'button'>;
  label: string;
  align?: 'start' | 'end';
  isOpen: boolean;
  setOpen: (open: boolean) => void;
  className: string;
  getAnchorRect?: PopoverProps['getAnchorRect'];
  children: ReactNode;
}) {
  const anchor = useRef<HTMLButtonElement>(null);
  const parts = overlays.use(isOpen);
  return (
    <>
      <button
        type="button"
        ref={anchor}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        {...button}
      />
      {parts && (
        <parts.PopoverBox
          label={label}
          placement={`bottom-${align}`}
          button={anchor.current}
          isOpen={isOpen}
          setOpen={setOpen}
          className={className}
          {...(getAnchorRect && { getAnchorRect })}
        >
          {children}
        </parts.PopoverBox>
      )}
    </>
  );
}
