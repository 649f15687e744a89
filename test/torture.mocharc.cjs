const { randomInt } = require('node:crypto');

/** The long tests with another seed in each run, which the reporter prints: `npm run torture`. */
process.env.SEED ??= String(randomInt(1_000_000));

module.exports = require('./long.mocharc.cjs');
