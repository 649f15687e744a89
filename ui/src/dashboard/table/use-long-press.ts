import { type PointerEvent, useRef } from 'react';

/** Milliseconds a finger has to rest. */
const pressFor = 450;
/** Pixels it may move meanwhile. */
const mayMove = 8;

/** A finger that rests on something: what a mouse does with a box to tick. */
export function useLongPress(act: () => void) {
  const press = useRef({
    timer: undefined as ReturnType<typeof setTimeout> | undefined,
    x: 0,
    y: 0,
    isLong: false,
  });
  const stop = () => clearTimeout(press.current.timer);
  return {
    /** Whether the click that comes now is the end of such a press. */
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
