module.exports = {
  'node-option': ['import=tsx/esm'],
  require: ['current-build', 'files-in-memory', 'clean-up', 'fixed-seed'].map(
    (name) => `./test/helpers/${name}.ts`,
  ),
  'forbid-only': true,
  'forbid-pending': true,
  // A hanging test is rare; a machine that has other work is not.
  timeout: 60_000,
  reporter: './test/helpers/dots.cjs',
  exit: true,
};
