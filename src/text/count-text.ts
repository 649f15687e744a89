/** A whole number with thousands separators, `1,000`. */
export function renderCount(count: number): string {
  // Not Intl.NumberFormat, whose first instance takes a noticeable part of a small run.
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A count with its noun, `1 evaluation` or `1,000 evaluations`. */
export function countOf(count: number, noun: string): string {
  return `${renderCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A count of all there are, `4 of 8 results`. */
export function countOfAll(count: number, all: number, noun: string): string {
  return `${renderCount(count)} of ${countOf(all, noun)}`;
}

/** ` in 24 clusters`; empty without clusters. */
export function inClustersText(clusters: number | undefined): string {
  return clusters === undefined ? '' : ` in ${countOf(clusters, 'cluster')}`;
}
