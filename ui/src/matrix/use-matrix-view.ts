import { useUrlView } from '../app/url-view.js';
import { parseMatrixView, renderMatrixView } from './view-state.js';

/** The matrix in the URL, and how to set it. */
export const useMatrixView = () => useUrlView('/matrix', parseMatrixView, renderMatrixView);
