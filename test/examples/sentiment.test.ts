import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { runExample } from './run-example.js';

const script = fileURLToPath(new URL('../../examples/sentiment/count.js', import.meta.url));

describe('examples/sentiment', () => {
  it('counts as many correct reviews in each run config as a count without assay', async () => {
    // "vader 829 of 1000"
    const counted = execFileSync(process.execPath, [script], { encoding: 'utf8' });
    const runs = [];
    for (const config of ['default', 'vader', 'wink']) {
      const run = await runExample('examples/sentiment', '--run-config', config);
      expect(run).to.include({ total_errors: 0, config_name: config });
      const model = config === 'default' ? 'sentiment' : config;
      runs.push(`${model} ${run.total_passed} of ${run.total_evaluations}\n`);
    }
    expect(runs.join('')).to.equal(counted);
    expect(counted).to.match(/^(\w+ \d+ of 1000\n){3}$/);
  });
});
