import { useLayoutEffect } from 'react';
import { dropKeys, holdKeys } from '../../app/held-keys.js';
import { notifyError } from '../../app/notices.js';
import { sharedValue } from '../../browser/shared-value.js';

/** A part of the page that is loaded when it is needed, or when the page has nothing else to do. */
export interface Loadable<Part> {
  /** The part once it is loaded; loads it when it is wanted, and holds back keys until it is there. */
  use(isWanted: boolean): Part | undefined;
  load(): Promise<void>;
}

const all: Loadable<unknown>[] = [];

/** Makes a loadable part of an `import()`. A failure is told, and tried again the next time. */
export function loadable<Part>(get: () => Promise<Part>): Loadable<Part> {
  const part = sharedValue<Part | undefined>(undefined);
  const load = async () => {
    if (part.get() === undefined) part.set(await get());
  };
  const made: Loadable<Part> = {
    load,
    use: (isWanted) => {
      const now = part.use();
      useLayoutEffect(() => {
        if (!isWanted || now !== undefined) return;
        const letGo = holdKeys();
        load().catch((error) => {
          dropKeys();
          letGo();
          notifyError(error);
        });
        return letGo;
      }, [isWanted, now]);
      return now;
    },
  };
  all.push(made);
  return made;
}

/** Loads all parts when the page is idle, so that they are there even if the server is not. */
export function loadWhenIdle(): void {
  const load = () => {
    for (const one of all) one.load().catch(() => {});
  };
  setTimeout(() => (window.requestIdleCallback ?? setTimeout)(load), idleAfter);
}

/** Milliseconds from the start of the page. */
const idleAfter = 2000;

/** Menus, popovers and dialogs. */
export const overlays = loadable(() => import('./overlay-parts.js'));
