import { loadable } from './loadable.js';

/** Menus, popovers and dialogs. */
export const overlays = loadable(() => import('./overlay-parts.js'));
