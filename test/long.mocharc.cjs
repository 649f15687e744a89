/** All of what `npm test` draws a part of, and what takes long: `npm run test:long`. */
module.exports = {
  ...require('./torture.mocharc.cjs'),
  // As in npm test: what passes at a second try is listed as flaky.
  retries: process.env.CI ? 1 : 0,
  spec: [
    'test/long/**/*.test.ts',
    'test/{properties,secrets}/**/*.test.ts',
    'test/exporters/streaming.test.ts',
    // Mocha takes a pattern with braces alone for the name of a file.
    'test/faults/every-change.test.ts',
    'test/faults/every-write.test.ts',
    'test/faults/scarce-descriptors.test.ts',
    'test/faults/server-kills.test.ts',
    'test/e2e/interrupt-kill.test.ts',
    'test/e2e/isolation-*.test.ts',
    'test/e2e/run-selection.test.ts',
    'test/store/lock/lock.test.ts',
    'test/runner/executors/local/local-executor.test.ts',
    'test/ui/axe.test.ts',
    'test/ui/calls.test.ts',
    'test/ui/compare-page.test.ts',
    'test/ui/hostile.test.ts',
    'test/ui/widths.test.ts',
  ],
};
