import type { CaseDraw } from '../model/selection/sample.js';

/** Results of a saved run: any of the paths, any of the datasets, any of the labels, all conditions. */
export interface SelectionOptions {
  /** Files, folders, `file::name`, or names as results are called. */
  readonly paths?: string | readonly string[];
  readonly datasets?: readonly string[];
  readonly labels?: readonly string[];
  /** Conditions such as `metadata.tier=pro`. */
  readonly where?: readonly string[];
  /** Only so many cases, drawn by their ids with a seed. */
  readonly sample?: CaseDraw;
}

export const selectionOptionNames = ['paths', 'datasets', 'labels', 'where', 'sample'];

/** The selection as runs are asked for it. */
export function selectionOf({
  paths = [],
  datasets = [],
  labels = [],
  where,
  sample,
}: SelectionOptions) {
  return {
    ...{ datasets, labels },
    paths: typeof paths === 'string' ? [paths] : paths,
    ...(where !== undefined && where.length > 0 && { where }),
    ...(sample && { sample }),
  };
}
