/** Programs that call no model and start no other program, whatever their arguments. */
const harmless = new Set(
  [
    'basename cat chmod chown cksum cmp comm cp cut date df diff dirname du echo egrep expr false fgrep fold grep groups gunzip gzip head',
    'hostname id join jq kill killall ln ls md5sum mkdir mkfifo mktemp mv nl nproc od paste pgrep pkill printenv printf ps pwd readlink',
    'realpath rm rmdir seq sha1sum sha256sum sha512sum sleep stat sync tac tail tee tasklist taskkill test touch tr true truncate tty uname',
    'uniq unlink uptime wc where which whoami',
  ].flatMap((names) => names.split(' ')),
);

/** Commands of git that start nothing that their arguments name. An option before the command may define another one. */
const harmlessInGit = new Set(
  [
    '--version add apply blame branch cat-file check-ignore checkout cherry-pick clean commit config describe diff hash-object init log',
    'ls-files ls-tree merge merge-base mv reset restore rev-list rev-parse revert rm show show-ref stash status switch tag version',
  ].flatMap((names) => names.split(' ')),
);

/** A program that is started. */
export interface StartedProgram {
  readonly file: string;
  readonly args: readonly string[];
  /** Names of the variables of {@link mayMislead} in its environment that are not as they were when this process was started. */
  readonly changed: readonly string[];
}

/** Variables by which a program, its loader, or the shell of a script is made to run others. */
const ofEveryProgram = /^(PATH|LD_.*|DYLD_.*|GCONV_PATH|BASH_.*|ENV|SHELLOPTS|PS4)$/;

/** The same of git, all but a few of its own; also those that say where its settings are. */
const ofGit =
  /^(GIT_(?!((AUTHOR|COMMITTER)_.*|DIR|WORK_TREE|INDEX_FILE|TERMINAL_PROMPT)$).*|PAGER|EDITOR|VISUAL|LESS.*|HOME|XDG_CONFIG_HOME)$/;

/** True for environment variables that may make a harmless program run another one. */
export function mayMislead(variable: string): boolean {
  return ofEveryProgram.test(variable) || ofGit.test(variable);
}

/**
 * The name of a started program that may call a model; `undefined` for one that does not. `isKnown` is true for programs
 * that the settings name as harmless. Those of the list above are harmless if they are started directly, or by a shell with
 * plain words only, and if no variable makes them run other programs.
 */
export function unseenProgram(
  program: StartedProgram,
  isKnown: (name: string) => boolean,
): string | undefined {
  const { file, args, changed } = plainCommand(program);
  const name = nameOf(file);
  if (isKnown(name)) return undefined;
  const isLookedUp = !/[/\\]/.test(file);
  const isOfSystem = /^(\/usr(\/local)?)?\/bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$/.test(file);
  const isGit = name === 'git';
  const isHarmless = isGit ? isHarmlessGit(args) : harmless.has(name);
  const isMisled = changed.some((one) => (isGit ? mayMislead(one) : ofEveryProgram.test(one)));
  return (isLookedUp || isOfSystem) && isHarmless && !isMisled ? undefined : name;
}

function isHarmlessGit([first = '', ...rest]: readonly string[]): boolean {
  if (first === '-C') return isHarmlessGit(rest.slice(1));
  return harmlessInGit.has(first) && !rest.some((arg) => namesStrategy(first, arg));
}

/** True for an option that names a strategy of a merge, since git starts the program `git-merge-NAME` for it. */
function namesStrategy(command: string, arg: string): boolean {
  // For the others, `-s` adds a line to the message.
  if (command === 'merge' && /^-[envq]*s/.test(arg)) return true;
  return /^(merge|cherry-pick|revert)$/.test(command) && /^--strategy(=|$)/.test(arg);
}

/** The program that a shell runs for plain words, as it would be without the shell; for other text the shell itself. */
function plainCommand(program: StartedProgram): StartedProgram {
  const { file, args } = program;
  const isOfUnix = file === '/bin/sh' && args.length === 2 && args[0] === '-c';
  const isOfWindows = /(^|\\)cmd\.exe$/i.test(file);
  const text = (args.at(-1) ?? '').replace(isOfWindows ? /^"(.*)"$/ : /^$/, '$1');
  if (!(isOfUnix || isOfWindows) || !/^ *[\w./-]+( [\w ./=:-]*)?$/.test(text)) return program;
  const [first = '', ...rest] = text.trim().split(/ +/);
  return { ...program, file: first, args: rest };
}

/** `/usr/bin/python3` → `python3`; of Windows without its ending. */
function nameOf(file: string): string {
  return file.replace(/^.*[/\\]/, '').replace(/\.(exe|cmd|bat)$/i, '');
}
