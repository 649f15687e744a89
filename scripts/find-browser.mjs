// The tests of the web UI drive Chromium. Installs Debian's where that is allowed, and otherwise says what to install.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const chromium = '/usr/bin/chromium';

if (!existsSync(chromium)) {
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (mayInstall) {
    console.error('Installing Chromium for the tests of the web UI …');
    apt('update', '-qq');
    apt('install', '-y', '-qq', '--no-install-recommends', 'chromium');
  }
  if (!existsSync(chromium)) {
    console.error(`The tests of the web UI need Chromium as ${chromium}: apt-get install chromium`);
  }
}

function apt(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
}
