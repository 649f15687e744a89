const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { isDrawn } = require('./drawn-files.cjs');

/** Files that `npm test` draws, or draws a part of: what they import tells. */
const drawing = readdirSync(__dirname, { recursive: true })
  .filter((name) => name.endsWith('.test.ts'))
  .filter(
    (name) =>
      isDrawn(name) ||
      /\/(drawn|command-rows)\.js'/.test(readFileSync(join(__dirname, name), 'utf8')),
  )
  .map((name) => `test/${name}`);

const folders = ['long', 'properties', 'secrets'];

/** All of what `npm test` draws a part of, and what takes long: `npm run test:long`. */
module.exports = {
  ...require('./torture.mocharc.cjs'),
  parallel: true,
  jobs: 2,
  // As in npm test: what passes only when it is tried again is listed as flaky.
  retries: process.env.CI ? 2 : 0,
  spec: [
    ...folders.map((name) => `test/${name}/**/*.test.ts`),
    'test/authoring/case-files/plain-yaml.test.ts',
    'test/faults/server-kills.test.ts',
    'test/store/lock/lock.test.ts',
    // Several processes would run twice what is named twice.
    ...drawing.filter((path) => !folders.some((name) => path.startsWith(`test/${name}/`))),
  ],
};
