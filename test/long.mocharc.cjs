/** All of what `npm test` draws a part of, and what takes long: `npm run test:long`. */
module.exports = {
  ...require('./torture.mocharc.cjs'),
  spec: [
    'test/long/**/*.test.ts',
    'test/{properties,secrets}/**/*.test.ts',
    'test/exporters/streaming.test.ts',
    'test/faults/{every-change,every-write,scarce-descriptors}.test.ts',
    'test/e2e/isolation-*.test.ts',
    'test/runner/executors/local/local-executor.test.ts',
    'test/ui/{axe,hostile}.test.ts',
  ],
};
