import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { RunJson } from '../../src/model/run.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs evaluations from recordings, without any variable that a client could read. */
function runOffline(...args: string[]): RunJson {
  const flags = ['--offline', '--no-save', '--json'];
  const text = execFileSync(process.execPath, ['bin/run.js', 'run', ...args, ...flags], {
    ...{ cwd: root, env: { PATH: process.env.PATH }, encoding: 'utf8', maxBuffer: 2 ** 26 },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return JSON.parse(text) as RunJson;
}

for (const [folder, one, count] of [
  ['examples/rag', 'questions.eval.ts::questions[water]', 8],
  ['examples/support-agent', 'orders.eval.ts::cancelOrder[not_theirs]', 261],
] as const) {
  describe(`recordings of ${folder}`, () => {
    it('answer all, two parts and one case, without a key', function () {
      this.timeout(240_000);
      const run = runOffline(folder);
      expect(run.total_evaluations).to.equal(count);
      expect(run.usage).to.include({ calls: 0, cost: 0 });
      const outcome = ({ id, result }: RunJson['results'][number]) => [
        ...[id, result.output, result.scores, result.error],
      ];
      const whole = run.results.map(outcome);
      const parts = ['1/2', '2/2'].flatMap((part) => runOffline(folder, '--shard', part).results);
      expect(parts.map(outcome)).to.have.deep.members(whole);
      const [single] = runOffline(`${folder}/${one}`).results.map(outcome);
      expect(whole).to.deep.include(single);
    });
  });
}
