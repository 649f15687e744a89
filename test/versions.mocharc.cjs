/** What can differ between versions of Node: start, loader, hosts, streams, clients, SQLite, a run over each executor. CI runs it. */
module.exports = {
  ...require('./all.mocharc.cjs'),
  spec: [
    'test/host/**/*.test.ts',
    'test/importers/evalite.test.ts',
    'test/newest/**/*.test.ts',
    'test/runner/local/**/*.test.ts',
    'test/e2e/{isolate,isolation-*,node-api,redis-served,run-output-ends,run-streams,run-text-imports,serve-signals,stop-streams}.test.ts',
  ],
};
