/** More of the same, with the same seed: `npm run test:long`. */
process.env.ROUNDS ??= '10';

module.exports = {
  ...require('../.mocharc.cjs'),
  parallel: true,
  jobs: 2,
  spec: require('./files.cjs').long,
};
