import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const script = fileURLToPath(new URL('../../benchmarks/redis-kills.mjs', import.meta.url));

describe('runs on workers whose parts are killed at random', function () {
  this.timeout(900_000);

  it('lose nothing, save nothing twice, and have the results of a local run', async () => {
    const child = spawn(process.execPath, [script, '--runs', '3'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code, said).to.equal(0);
  });
});
