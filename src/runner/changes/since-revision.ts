import { AssayError } from '../../errors.js';
import { runGit } from '../../processes/git.js';
import type { ListedRun } from '../../store/listing/run-json.js';
import { quotedName } from '../../text/name-text.js';

/** The runs whose results may be carried over since a revision. */
export interface RunsSince {
  /** The newest run of a commit that the merge base contains; none if there is no such run. */
  readonly ids: readonly string[];
  /** What the user should know; absent if there is nothing. */
  readonly note?: string;
}

const shortDigits = 10;

/**
 * Finds the run to compare with since a git revision: the newest whose recorded commit is an ancestor of the merge base of
 * HEAD and the revision, or that itself. `undefined` if git knows no such revision. Error: `usage` if there is no merge base.
 */
export async function runsSince(
  cwd: string,
  revision: string,
  runs: readonly ListedRun[],
): Promise<RunsSince | undefined> {
  const git = async (args: readonly string[], input?: string) => {
    const { code, stdout } = await runGit(cwd, args, input);
    return code === 0 ? stdout.trim() : undefined;
  };
  const wanted = ['rev-parse', '--verify', '--quiet', '--end-of-options'];
  const commit = await git([...wanted, `${revision}^{commit}`]);
  if (commit === undefined) return undefined;
  const isShallow = (await git(['rev-parse', '--is-shallow-repository'])) === 'true';
  const base = await git(['merge-base', 'HEAD', commit]);
  if (base === undefined) throw noMergeBase(revision, isShallow);
  const commits = [...new Set(runs.flatMap((run) => run.commit ?? []))];
  const ancestors = await ancestorsOf(base, commits, git);
  const found = runs.find((run) => run.commit !== undefined && ancestors.has(run.commit));
  if (found !== undefined) {
    const { run_id, run_name, commit: of = '' } = found;
    const note = `Results since ${quotedName(revision)} are those of ${run_name}, of commit ${of.slice(0, shortDigits)}.`;
    return { ids: [run_id], note };
  }
  const missing = isShallow
    ? ' The clone is shallow: fetch more of its history to find older ones.'
    : '';
  const place = `${base.slice(0, shortDigits)}, where HEAD and ${quotedName(revision)} part`;
  return {
    ids: [],
    note: `No saved run is of ${place}, or of a commit before: everything runs.${missing}`,
  };
}

/** Those of some commits that a base contains, as far as they are in the repository. */
async function ancestorsOf(
  base: string,
  commits: readonly string[],
  git: (args: readonly string[], input?: string) => Promise<string | undefined>,
): Promise<ReadonlySet<string>> {
  if (commits.length === 0) return new Set();
  const checked = await git(['cat-file', '--batch-check'], `${commits.join('\n')}\n`);
  const known = (checked ?? '').split('\n').flatMap((line) => {
    const [id = '', type] = line.split(' ');
    return type === 'commit' ? [id] : [];
  });
  if (known.length === 0) return new Set();
  // What is reachable from them, but not from the base.
  const others = await git(['rev-list', '--stdin'], `${known.join('\n')}\n^${base}\n`);
  const outside = new Set(others?.split('\n'));
  return new Set(others === undefined ? [] : known.filter((one) => !outside.has(one)));
}

function noMergeBase(revision: string, isShallow: boolean): AssayError {
  const name = quotedName(revision);
  if (!isShallow) {
    return new AssayError('usage', `HEAD and ${name} have no commit in common.`);
  }
  return new AssayError(
    'usage',
    `This clone is shallow, and does not have the commit where HEAD and ${name} part.`,
    {
      hints: [
        'Fetch more of its history: git fetch --unshallow, or fetch-depth: 0 of actions/checkout.',
      ],
    },
  );
}
