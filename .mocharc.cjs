module.exports = {
  'node-option': ['import=tsx/esm'],
  require: ['current-build', 'files-in-memory', 'after-each'].map(
    (name) => `./test/helpers/${name}.ts`,
  ),
  'forbid-only': true,
  'forbid-pending': true,
  // A hanging test is rare; a machine that has other work is not.
  timeout: 60_000,
  // A shared machine in CI may stall for seconds; what passes only then is listed as flaky.
  retries: process.env.CI ? 2 : 0,
  reporter: './test/helpers/dots.cjs',
  exit: true,
};
