import { type PointerEvent, useRef } from 'react';

/** Minimum duration of a long press in milliseconds. */
const pressFor = 450;
/** Maximum movement during a long press in pixels. */
const mayMove = 8;

/** Calls `act` on a long press, which on touch screens replaces the checkbox. */
export function useLongPress(act: () => void) {
  const press = useRef({
    timer: undefined as ReturnType<typeof setTimeout> | undefined,
    x: 0,
    y: 0,
    isLong: false,
  });
  const stop = () => clearTimeout(press.current.timer);
  return {
    /** True for the click at the end of a long press. */
    wasLong: () => {
      const { isLong } = press.current;
      press.current.isLong = false;
      return isLong;
    },
    props: {
      onPointerDown: ({ pointerType, clientX, clientY }: PointerEvent) => {
        if (pointerType !== 'touch') return;
        const start = () => {
          press.current.isLong = true;
          act();
        };
        press.current = {
          timer: setTimeout(start, pressFor),
          x: clientX,
          y: clientY,
          isLong: false,
        };
      },
      onPointerMove: ({ clientX, clientY }: PointerEvent) => {
        const { x, y } = press.current;
        if (Math.hypot(clientX - x, clientY - y) > mayMove) stop();
      },
      onPointerUp: stop,
      onPointerCancel: stop,
      onContextMenu: (event: { preventDefault: () => void }) => {
        if (press.current.isLong) event.preventDefault();
      },
    },
  };
}
