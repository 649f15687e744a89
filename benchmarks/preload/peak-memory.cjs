// Loaded into every Node process of a measured command: leaves the peak memory of each in PEAK_MEMORY_DIR when it exits, and its CPU seconds.
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { isMainThread } = require('node:worker_threads');

/** Kilobytes. VmHWM belongs to this program alone; maxRSS can carry over from the process that started it. */
function peakKilobytes() {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
    return Number(kilobytes);
  } catch {
    return process.resourceUsage().maxRSS;
  }
}

function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

const folder = process.env.PEAK_MEMORY_DIR;
if (folder && isMainThread) {
  process.once('exit', () =>
    writeFileSync(join(folder, String(process.pid)), `${peakKilobytes()} ${cpuSeconds()}`),
  );
}
