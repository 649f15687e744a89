// The tests of the web UI drive Chromium. Installs Debian's where that is allowed, and otherwise says what to install.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const [quick, usual] = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

if (!existsSync(quick) && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
  console.error('Installing Chromium for the tests of the web UI …');
  apt('update', '-qq');
  apt('install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell');
}
if (!existsSync(quick) && !existsSync(usual)) {
  console.error('UI tests need Chromium: apt-get install chromium-headless-shell');
}

function apt(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
}
