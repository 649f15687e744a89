const { randomInt } = require('node:crypto');
const { readdirSync, statSync } = require('node:fs');
const { join } = require('node:path');
const { drawHalf, isDrawn } = require('./drawn-files.cjs');

const left = /^(long|newest)\//;
const sizeOf = (name) => statSync(join(__dirname, name)).size;
const files = readdirSync(__dirname, { recursive: true }).filter(
  (name) => name.endsWith('.test.ts') && !left.test(name),
);
process.env.FAULTS_SEED ??= String(randomInt(1_000_000));
const slow = files.filter(isDrawn);
const drawn = drawHalf(slow, process.env.FAULTS_SEED);
process.env.DRAWN_FILES = `${drawn.length} of ${slow.length}`;

/** Tests but those that take long, and half of the files that take most of the time: `npm test`. */
module.exports = {
  ...require('../.mocharc.cjs'),
  parallel: true,
  // More than a small machine has processors: many tests wait for processes and pages.
  jobs: 4,
  // Large files first, since they take long: none begins last, and those that wait run beside those that compute.
  spec: [...files.filter((name) => !isDrawn(name)), ...drawn]
    .sort((a, b) => sizeOf(b) - sizeOf(a))
    .map((name) => `test/${name}`),
};
