const { require: helpers, ...usual } = require('../.mocharc.cjs');

/** Tests of sources alone, without a build, processes or a browser: `npm run test:unit`. */
module.exports = {
  ...usual,
  require: helpers.filter((path) => !path.includes('current-build')),
  spec: [
    'test/{authoring,cli,compare,exporters,files,fingerprints,model,model-calls,protocol,settings,statistics,text,values}/**/*.test.ts',
    'test/server/http/**/*.test.ts',
    'test/ui/unit/**/*.test.ts',
  ],
  ignore: [
    'test/model-calls/wire/large-bodies.test.ts',
    'test/ui/unit/curl.test.ts',
    'test/cli/{run/run-view,compare/compare-json}.test.ts',
  ],
};
