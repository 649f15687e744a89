const { readdirSync, statSync } = require('node:fs');
const { join } = require('node:path');

const left = /^(long|newest)\//;
const sizeOf = (name) => statSync(join(__dirname, name)).size;

/** All tests but those that take long: `npm test`. */
module.exports = {
  ...require('../.mocharc.cjs'),
  parallel: true,
  // More than a small machine has processors: many tests wait for processes and pages.
  jobs: 4,
  // Large files first, since they take long: none begins last, and those that wait run beside those that compute.
  spec: readdirSync(__dirname, { recursive: true })
    .filter((name) => name.endsWith('.test.ts') && !left.test(name))
    .sort((a, b) => sizeOf(b) - sizeOf(a))
    .map((name) => `test/${name}`),
};
