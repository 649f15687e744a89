/** All tests but those that take long: `npm test`. */
module.exports = {
  ...require('../.mocharc.cjs'),
  parallel: true,
  // More than a small machine has processors: many tests wait for processes and pages.
  jobs: 4,
  spec: require('./files.cjs').usual,
};
