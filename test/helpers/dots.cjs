const { appendFileSync } = require('node:fs');
const { relative } = require('node:path');
const { reporters, Runner } = require('mocha');

const { EVENT_HOOK_END, EVENT_RUN_END, EVENT_TEST_END, EVENT_TEST_FAIL } = Runner.constants;
const namedFiles = 12;

/**
 * Mocha's dots; at the end, how to repeat what was random, and in CI the files that took longest and, at once, each test that fails. `FAILED_FILES` names a
 * file to which the paths of files with a failed test are appended, `PASSED_COUNTS` one for the number of passed tests.
 */
module.exports = class Dots extends reporters.Dot {
  constructor(runner, options) {
    super(runner, options);
    const { CI, FAILED_FILES, PASSED_COUNTS, SEED } = process.env;
    const took = new Map();
    const add = ({ file, duration }) => {
      if (file !== undefined) took.set(file, (took.get(file) ?? 0) + (duration ?? 0));
    };
    runner.on(EVENT_TEST_END, add);
    // Workers report a hook that runs for each test again and again, each time with the duration of the last one.
    runner.on(EVENT_HOOK_END, (hook) => /^"(before|after) all"/.test(hook.title) && add(hook));
    const failed = new Set();
    // A root hook belongs to no file: what it could not clean up is of a file that has failed, too.
    runner.on(EVENT_TEST_FAIL, (test) => {
      const name = test.file && relative('', test.file);
      failed.add(name);
      // What ends a run that takes too long leaves no summary.
      if (CI) console.log(`\n  failed: ${name ?? 'a root hook'}: ${test.fullTitle()}`);
    });
    runner.once(EVENT_RUN_END, () => {
      if (failed.size > 1) failed.delete(undefined);
      if (FAILED_FILES !== undefined && failed.size > 0)
        appendFileSync(
          FAILED_FILES,
          [...failed].map((file) => `${file ?? 'a root hook'}\n`).join(''),
        );
      if (PASSED_COUNTS !== undefined) appendFileSync(PASSED_COUNTS, `${this.stats.passes}\n`);
      if (SEED !== undefined) console.log(`  SEED=${SEED} repeats this run.`);
      if (!CI) return;
      const slowest = [...took].sort(([, a], [, b]) => b - a).slice(0, namedFiles);
      console.log('  slowest files:');
      for (const [file, ms] of slowest) {
        console.log(`    ${(ms / 1000).toFixed(1).padStart(5)} s  ${relative('', file)}`);
      }
    });
  }
};
