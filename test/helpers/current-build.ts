import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What is built by a script of `package.json`, from what, and the file that tells when. */
const builds = [
  {
    script: 'dev',
    sources: ['src', 'scripts/bundle.mjs', 'tsconfig.json', 'tsconfig.build.json'],
    built: 'dist/host-bundle/index.js',
  },
  {
    script: 'build:ui',
    sources: ['ui', 'src/model', 'src/statistics', 'src/text'],
    built: 'dist/ui/index.html',
  },
];

// Before Mocha loads test files, which import `dist`; workers are started after that. See `.mocharc.cjs`.
if (process.env.MOCHA_WORKER_ID === undefined) buildWhatIsOld();

/** Builds what is older than its sources: many tests run `dist`. */
function buildWhatIsOld(): void {
  for (const { script, sources, built } of builds) {
    if (sources.every((source) => changedAt(source) <= changedAt(built))) continue;
    console.error(`Sources have changed: npm run ${script} …`);
    const { status } = spawnSync('npm', ['run', '--silent', script], {
      cwd: root,
      stdio: 'inherit',
    });
    if (status !== 0) throw new Error(`npm run ${script} failed.`);
  }
}

/** Milliseconds since 1970 of the last change of a file, or of the newest below a folder; 0 when there is none. */
function changedAt(path: string): number {
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(
    0,
    ...readdirSync(join(root, path), { withFileTypes: true })
      .filter(({ name }) => name !== 'node_modules')
      .map(({ name }) => changedAt(join(path, name))),
  );
}
