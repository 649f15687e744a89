const { readdirSync, readFileSync, statSync } = require('node:fs');
const { join } = require('node:path');

const left = /^(long|newest)\//;
const sizeOf = (name) => statSync(join(__dirname, name)).size;
const asPath = (name) => `test/${name}`;
const files = readdirSync(__dirname, { recursive: true })
  .filter((name) => name.endsWith('.test.ts'))
  // Large files first, since they take long: none of them begins last.
  .sort((a, b) => sizeOf(b) - sizeOf(a));

/** What `npm test` runs. */
exports.usual = files.filter((name) => !left.test(name)).map(asPath);

/** Files that try more with `ROUNDS`, and those that take too long for `npm test`. */
exports.long = files
  .filter(
    (name) =>
      name.startsWith('long/') || /\/rounds\.js'/.test(readFileSync(join(__dirname, name), 'utf8')),
  )
  .map(asPath);
