const { reporters, Runner } = require('mocha');

/** Mocha's dots; at the end, the tests that passed only when they were tried again. */
module.exports = class Dots extends reporters.Dot {
  constructor(runner, options) {
    super(runner, options);
    const again = new Map();
    runner.on(Runner.constants.EVENT_TEST_RETRY, (test, error) =>
      again.set(test.fullTitle(), error),
    );
    runner.on(Runner.constants.EVENT_TEST_FAIL, (test) => again.delete(test.fullTitle()));
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      for (const [title, error] of again) console.log(`  flaky: ${title}\n    ${error.message}`);
    });
  }
};
