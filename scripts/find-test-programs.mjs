// The tests drive Chromium and a Redis server. Installs Debian's where that is allowed, and otherwise says what to install.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromiumPaths } from './chromium-paths.mjs';

const programs = [
  {
    what: 'Chromium for the tests of the web UI',
    package: 'chromium-headless-shell',
    paths: chromiumPaths,
  },
  {
    what: 'Redis for the tests of workers',
    package: 'redis-server',
    paths: ['/usr/bin/redis-server'],
  },
];

const missing = programs.filter(({ paths: [best] }) => !existsSync(best));
if (missing.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
  for (const { what } of missing) console.error(`Installing ${what} …`);
  apt('update', '-qq');
  apt('install', '-y', '-qq', '--no-install-recommends', ...missing.map((one) => one.package));
}
for (const { what, package: name, paths } of programs) {
  if (!paths.some((path) => existsSync(path)))
    console.error(`Missing: ${what}: apt-get install ${name}`);
}

function apt(...args) {
  // A server that is installed is not started.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
}
