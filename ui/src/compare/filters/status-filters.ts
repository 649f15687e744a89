/** Statuses and verdicts that are worth a filter here; a pair matches when one of its results is so. */
export const statusFilters: readonly string[] = [
  'passed',
  'failed',
  'error',
  'no_verdict',
  'cancelled',
  'not_started',
];
