/** The same tests, ten times as long: `npm run torture`. */
process.env.ROUNDS ??= '10';

module.exports = { ...require('../.mocharc.cjs'), retries: 0 };
