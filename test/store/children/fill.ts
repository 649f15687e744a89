// Finishes rows of a run until there is no room, says how many were acknowledged and what went wrong.
import { AssayError } from '../../../src/errors.js';
import { openStore } from '../../../src/store/store.js';

const [root = '', runId = ''] = process.argv.slice(2);
const owner = await (await openStore(root)).ownRun(runId);
let acknowledged = 0;
const row = (index: number) => ({
  index,
  status: 'completed' as const,
  output: 'x'.repeat(700),
  scores: [],
  error: null,
  latency: 1,
  trace_data: {},
});
try {
  for (; acknowledged < owner.run.rows.length; acknowledged += 2) {
    owner.finish([row(acknowledged), row(acknowledged + 1)]);
  }
} catch (error) {
  const seen = owner.run.rows.filter((one) => one.status === 'completed').length;
  const code = error instanceof AssayError ? error.code : String(error);
  console.log(JSON.stringify({ acknowledged, seen, code }));
}
process.exit(0);
