import { isInside } from '../text/file-path.js';

/** How this process was started. */
interface Start {
  /** Path of the script that Node runs, or of a link to it. */
  readonly script: string;
  readonly env: { readonly [name: string]: string | undefined };
  readonly cwd: string;
}

const launchers = {
  npm: 'npx assay',
  pnpm: 'pnpm exec assay',
  yarn: 'yarn assay',
  bun: 'bunx assay',
} as const;
type PackageManager = keyof typeof launchers;

/** `assay` as an installed package, below the first `node_modules` of its path. */
const installedScript =
  /^(.*?)[\\/]node_modules[\\/](?:.*[\\/])?(?:\.bin[\\/]assay|assay[\\/]bin[\\/]run\.js)$/;

/** Folders from which package managers run what the project has not installed, or keeps in archives. */
const fetchedTo: readonly (readonly [folder: RegExp, launcher: string])[] = [
  [/[\\/]_npx[\\/]/, launchers.npm],
  [/[\\/]pnpm[\\/]dlx[\\/-]/, 'pnpm dlx assay'],
  [/[\\/]bunx-[^\\/]*[\\/]/, launchers.bun],
  [/[\\/]\.yarn[\\/]/, launchers.yarn],
];

/**
 * The words that start this assay again in the working directory: `npx assay` and the like for a package of the project,
 * `assay` for anything else.
 */
export function launcherOf({ script, env, cwd }: Start): string {
  const [, project] = installedScript.exec(script) ?? [];
  if (project === undefined) return 'assay';
  const fetched = fetchedTo.find(([folder]) => folder.test(script));
  if (fetched !== undefined) return fetched[1];
  // A global one has other packages around it than this project.
  return isInside(project, cwd) ? launchers[packageManagerOf(env)] : 'assay';
}

/** The package manager that started the process. Default: npm, which runs the programs of all of them. */
function packageManagerOf({
  npm_config_user_agent: agent = '',
  npm_execpath: program = '',
}: Start['env']): PackageManager {
  const [name = ''] = /^[a-z]+/.exec(agent) ?? /pnpm|yarn|bun/.exec(program) ?? [];
  return Object.hasOwn(launchers, name) ? (name as PackageManager) : 'npm';
}

const ownCommand =
  /(?<![\w./@-])(?<!(?:npx|exec|dlx|yarn|bunx) )assay(?= (?:compare|config|export|init|plan|recordings|review|run|serve|sessions|show|workers?)\b)/g;
let launcher: string | undefined;

/**
 * A text for people in which commands of assay are written so that they can be copied: `npx assay show latest`. `started`: the
 * words that start assay; default: those of this process.
 */
export function asTyped(text: string, started?: string): string {
  if (!text.includes('assay ')) return text;
  return text.replace(ownCommand, started ?? ownLauncher());
}

function ownLauncher(): string {
  launcher ??= launcherOf({
    script: process.argv[1] ?? '',
    env: process.env,
    cwd: process.cwd(),
  });
  return launcher;
}
