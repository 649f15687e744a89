import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The commit of a working tree. */
export interface GitState {
  readonly commit: string;
  /** Files of the commit were changed, added or removed since; files that git does not know do not count. */
  readonly isDirty: boolean;
}

/** How git ended; `code` is `undefined` if it could not be started, or did not end in time. */
export interface GitEnd {
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Milliseconds after which git is given up: on a network drive, it may take long. */
const mostMs = 10_000;

// More than this many bytes of changed files say no more than one.
const mostBytes = 16 * 1024 * 1024;

/** Runs git in a folder. Never rejects. */
export function runGit(cwd: string, args: readonly string[], input = ''): Promise<GitEnd> {
  return new Promise((resolve) => {
    const options = {
      cwd,
      timeout: mostMs,
      maxBuffer: mostBytes,
      windowsHide: true,
      // Other processes of git must not find its lock.
      env: { ...process.env, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' },
    };
    const child = execFile('git', [...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : undefined;
      resolve({ code, stdout, stderr });
    });
    // A process that has ended takes no input, which its exit code explains.
    child.stdin?.on('error', () => undefined).end(input);
  });
}

/** The commit of the working tree of a folder; `undefined` without git, a repository or a commit. */
export async function gitState(cwd: string): Promise<GitState | undefined> {
  if (!hasRepository(cwd)) return undefined;
  const { stdout } = await runGit(cwd, [
    'status',
    '--porcelain=v2',
    '--branch',
    '--untracked-files=no',
  ]);
  const [, commit] = /^# branch\.oid ([0-9a-f]{40,64})$/m.exec(stdout) ?? [];
  return commit === undefined ? undefined : { commit, isDirty: /^[^#]/m.test(stdout) };
}

/** True if a folder, or one above it, has a `.git`, which is a file in worktrees and submodules. */
function hasRepository(cwd: string): boolean {
  if (process.env.GIT_DIR) return true;
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return true;
    if (dirname(folder) === folder) return false;
  }
}

/** The bytes of a file at a commit; `undefined` if it was not there. `path`: relative to the folder, with slashes. */
export async function textAtCommit(
  cwd: string,
  commit: string,
  path: string,
): Promise<string | undefined> {
  const { code, stdout } = await runGit(cwd, ['show', `${commit}:./${path}`]);
  return code === 0 ? stdout : undefined;
}
