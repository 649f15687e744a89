import { useUrlView } from '../app/url-view.js';
import { parseCompareView, renderCompareView } from './view-state.js';

/** The comparison in the URL, and how to set it. */
export const useCompareView = () => useUrlView('/compare', parseCompareView, renderCompareView);
