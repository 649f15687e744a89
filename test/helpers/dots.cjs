const { relative } = require('node:path');
const { reporters, Runner } = require('mocha');

const { EVENT_HOOK_END, EVENT_RUN_END, EVENT_TEST_END, EVENT_TEST_FAIL, EVENT_TEST_RETRY } =
  Runner.constants;
const namedFiles = 12;

/** Mocha's dots; at the end, the tests that were tried again with their first errors, and which files were drawn; in CI, the files that took longest. */
module.exports = class Dots extends reporters.Dot {
  constructor(runner, options) {
    super(runner, options);
    const again = new Map();
    // The error of the first try: a later one may fail because of what that has left.
    runner.on(EVENT_TEST_RETRY, (test, error) => {
      if (!again.has(test.fullTitle())) again.set(test.fullTitle(), error);
    });
    const failed = new Set();
    runner.on(EVENT_TEST_FAIL, (test) => failed.add(test.fullTitle()));
    const took = new Map();
    const add = ({ file, duration }) => {
      if (file !== undefined) took.set(file, (took.get(file) ?? 0) + (duration ?? 0));
    };
    runner.on(EVENT_TEST_END, add);
    runner.on(EVENT_HOOK_END, add);
    runner.once(EVENT_RUN_END, () => {
      for (const [title, error] of again) {
        if (failed.has(title)) console.log(`  failed first with: ${title}\n    ${error.stack}`);
        else console.log(`  flaky: ${title}\n    ${error.message}`);
      }
      const { DRAWN_FILES, FAULTS_SEED, CI } = process.env;
      if (DRAWN_FILES !== undefined) {
        console.log(
          `  ran ${DRAWN_FILES} files that take long, drawn by FAULTS_SEED=${FAULTS_SEED}; npm run test:long runs all`,
        );
      }
      if (!CI) return;
      const slowest = [...took].sort(([, a], [, b]) => b - a).slice(0, namedFiles);
      console.log('  slowest files:');
      for (const [file, ms] of slowest) {
        console.log(`    ${(ms / 1000).toFixed(1).padStart(5)} s  ${relative('', file)}`);
      }
    });
  }
};
