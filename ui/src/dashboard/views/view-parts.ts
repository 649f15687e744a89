/** The parts of views that are loaded when they are needed. */
export { OpenedView } from './opened-view.js';
export { ViewDialogs } from './view-dialogs.js';
export { ViewItems } from './view-items.js';
