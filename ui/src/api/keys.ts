/** Query keys of the cache; a shorter key matches all that begin with it. */
export const keys = {
  runs: ['run'] as const,
  run: (run: string) => ['run', run] as const,
  allRows: ['rows'] as const,
  rows: (run: string) => ['rows', run] as const,
  rowPage: (run: string, query: string, page: number) => ['rows', run, query, page] as const,
  rowOutlines: (run: string, query: string, page: number) =>
    ['rows', run, query, 'outlines', page] as const,
  indices: (run: string, query: string) => ['rows', run, query, 'indices'] as const,
  rowFields: (run: string) => ['rows', run, 'fields'] as const,
  allChanges: ['changes'] as const,
  changes: (run: string, startedAt: number) => ['changes', run, startedAt] as const,
  result: (run: string, index: number) => ['result', run, index] as const,
  calls: (run: string, index: number) => ['result', run, index, 'calls'] as const,
  allResults: ['result'] as const,
  results: (run: string) => ['result', run] as const,
  comparisons: ['comparison'] as const,
  comparison: (runs: readonly string[]) => ['comparison', runs] as const,
  groupChanges: (run: string, base: string, by: string) =>
    ['comparison', [run, base], 'groups', by] as const,
  sessions: ['sessions'] as const,
  sessionRuns: (session: string) => ['sessions', session] as const,
  settings: ['settings'] as const,
  settingsFile: ['settings', 'file'] as const,
  workers: ['workers'] as const,
  configs: ['settings', 'configs'] as const,
  views: ['settings', 'views'] as const,
};
