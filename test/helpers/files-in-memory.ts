import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';

/** Where Linux keeps files in memory. */
const folder = '/dev/shm';
/** Bytes: a container may have only 64 MB there. */
const mostNeeded = 4 * 2 ** 30;

/**
 * Temporary folders of tests are in memory where there is room: a disk takes most of the time of a test to confirm its
 * files and to remove them. `TMPDIR` decides otherwise.
 */
export const mochaHooks = {
  // Where tests run, and not before workers start: tsx has its cache in the temporary folder.
  beforeAll(): void {
    if (process.env.TMPDIR !== undefined || freeBytes() < mostNeeded) return;
    const temporary = mkdtempSync(`${folder}/assay-tests-`);
    // Some tests run what is in it as another user.
    chmodSync(temporary, 0o777);
    process.env.TMPDIR = temporary;
    process.on('exit', () => rmSync(temporary, { recursive: true, force: true }));
  },
};

function freeBytes(): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
