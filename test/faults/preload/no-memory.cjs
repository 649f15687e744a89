// While the file NO_MEMORY_FILE exists, the system has no memory for another process: every spawn fails as libuv
// reports it. For a real process: `node --require no-memory.cjs …`.
const { ChildProcess } = require('node:child_process');
const { existsSync } = require('node:fs');
const { constants } = require('node:os');

const { prototype } = new ChildProcess()._handle.constructor;
const { spawn } = prototype;
prototype.spawn = function spawnOrFail(...given) {
  return existsSync(process.env.NO_MEMORY_FILE ?? '')
    ? -constants.errno.ENOMEM
    : spawn.apply(this, given);
};
