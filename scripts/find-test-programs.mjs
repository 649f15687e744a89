// Before `npm test`: the tests drive Chromium and a Redis server. Installs Debian's where root may; else says what to install.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromiumPaths } from './chromium-paths.mjs';

const onPath = (name) =>
  (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name));
const programs = [
  { package: 'chromium-headless-shell', paths: chromiumPaths },
  { package: 'redis-server', paths: onPath('redis-server') },
];
const missing = () =>
  programs.filter(({ paths }) => !paths.some((path) => existsSync(path))).map((one) => one.package);

if (missing().length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
  console.error(`Installing ${missing().join(' and ')} …`);
  apt('update', '-qq');
  apt('install', '-y', '-qq', '--no-install-recommends', ...missing());
}
if (missing().length > 0) {
  console.error(
    `npm test needs Chromium and Redis: sudo apt-get install ${missing().join(' ')}  (npm run test:unit needs neither)`,
  );
  process.exitCode = 1;
}

function apt(...args) {
  // A server that is installed is not started.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
}
