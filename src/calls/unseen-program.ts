/** Programs that call no model, whatever their arguments. */
const harmless = new Set(
  [
    'awk base64 basename bat bc cat chmod chown clear cmp column comm cp cut date dd df diff dirname du echo egrep expr false fd fgrep',
    'file find fold fmt free gawk getconf grep groups gunzip gzip head hostname id install join jq kill killall ldd less ln locale ls',
    'lscpu lsof md5sum mkdir mkfifo mktemp more mv nl nproc od open paste patch pgrep pkill printenv printf ps pwd readlink',
    'realpath rev rg rm rmdir sed seq sha1sum sha256sum sha512sum shuf sleep sort split stat strings stty sum sync sysctl tac tail tar',
    'tee test touch tput tr tree true truncate tty uname uniq unlink unxz unzip uptime wc where which who whoami xxd yes zcat zgrep zip',
    // Of shells, and their keywords.
    ': [ [[ } alias bg break cd continue declare dirs exit export fg getopts hash history jobs let local popd pushd read readonly',
    'return set shift shopt trap type typeset ulimit umask unalias unset wait in case for function select fi done esac',
    // For code.
    'git biome black cmake dotnet eslint esbuild gcc clang g++ gradle gradlew javac jest make mocha mvn mvnw mypy ninja oxlint pip pip3 prettier',
    'pylint pytest ruff rustc rustfmt swc tsc vitest cargo go npm pnpm yarn bun',
    // Of databases.
    'mysql pg_dump pg_restore psql redis-cli sqlite3',
    // Of Windows and macOS.
    'dir findstr icacls ioreg powercfg reg sw_vers taskkill tasklist ver wmic xcode-select xdg-open',
  ].flatMap((names) => names.split(' ')),
);

/** What runs another program by the same name: `npm test` runs the tests of a project, `npx agent` anything. */
const runsOthers: Readonly<Record<string, RegExp>> = {
  bun: /^(?!install$|add$|remove$|test$|pm$|build$)/,
  cargo: /^run$/,
  dotnet: /^(run|exec)$/,
  go: /^(run|tool)$/,
  npm: /^(exec|x|start|restart|create|init)$/,
  pnpm: /^(exec|dlx|start|create)$/,
  yarn: /^(exec|dlx|start|create|node)$/,
};

/** What of package managers runs no other program, whatever follows it. */
const runsNone = /^(test|run|install|i|ci|add|build|--)$/;

/** Modules of Python that call no model. */
const pythonTools = new Set(['compileall', 'json.tool', 'unittest', 'venv']);

/** Programs that run the one that their arguments name. */
const wrappers = new Set(
  'builtin bunx command corepack do doas elif else env exec if nice nohup npx pnpx stdbuf sudo then time timeout until while xargs ! {'.split(
    ' ',
  ),
);

const shells = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'cmd']);

/** The name of the first program that a command starts and that may call a model; `undefined` for none. */
export function unseenProgram(
  file: string,
  args: readonly string[],
  isKnown: (name: string) => boolean,
): string | undefined {
  return unseenIn([file, ...args], (name) => harmless.has(name) || isKnown(name), isKnown);
}

type IsKnown = (name: string) => boolean;

function unseenIn(
  words: readonly string[],
  isHarmless: IsKnown,
  isKnown: IsKnown,
): string | undefined {
  const at = words.findIndex((word) => !/^\w+=/.test(word));
  const name = nameOf(words[at] ?? '');
  const args = words.slice(at + 1);
  if (at === -1 || name === '') return undefined;
  // `command -v` only looks it up.
  if (name === 'command' && /^-v$/i.test(args[0] ?? '')) return undefined;
  if (wrappers.has(name)) {
    const wrapped = args.findIndex((arg) => !/^(-|\w+=|[\d.]+[smhd]?$)/.test(arg));
    return wrapped === -1 ? undefined : unseenIn(args.slice(wrapped), isHarmless, isKnown);
  }
  if (isKnown(name)) return undefined;
  if (shells.has(name)) {
    const flag = args.findIndex((arg) => /^(-\w*c|\/c)$/i.test(arg));
    return flag === -1 ? name : unseenInScript(args.slice(flag + 1).join(' '), isHarmless, isKnown);
  }
  if (asksOnlyAbout(args) || isTool(name, args, isHarmless)) return undefined;
  // A file of the project may have any name.
  const isOwn =
    /^(?!\/|\w:).*[/\\]/.test(words[at] ?? '') &&
    !/node_modules|gradlew|mvnw/.test(words[at] ?? '');
  if (isOwn || !isHarmless(name)) return name;
  if (name === 'find') {
    const ran = args.findIndex((arg) => /^-(exec|ok)(dir)?$/.test(arg));
    return ran === -1 ? undefined : unseenIn(args.slice(ran + 1), isHarmless, isKnown);
  }
  const others = runsOthers[name];
  if (others === undefined) return undefined;
  const commands = args.filter((arg) => !arg.startsWith('-') || arg === '--');
  // An option may have a value, which stands before the command.
  const end = name === 'bun' ? 1 : commands.findIndex((arg) => runsNone.test(arg));
  const from = commands.slice(0, end === -1 ? undefined : end).findIndex((arg) => others.test(arg));
  if (from === -1) return undefined;
  const isExec = /^(exec|x|dlx)$/.test(commands[from] ?? '');
  return isExec ? unseenIn(commands.slice(from + 1), isHarmless, isKnown) : name;
}

/** True for `--version` and the like. */
function asksOnlyAbout(args: readonly string[]): boolean {
  return args.length > 0 && args.every((arg) => /^(--?version|-V|--help|--check)$/.test(arg));
}

/** True for `node --test` and `python3 -m pytest`. */
function isTool(name: string, args: readonly string[], isHarmless: IsKnown): boolean {
  if (name === 'node') return args.some((arg) => /^(--test|--check|-c)$/.test(arg));
  const [flag, module = ''] = args;
  return (
    /^python[\d.]*$/.test(name) && flag === '-m' && (isHarmless(module) || pythonTools.has(module))
  );
}

/** `/usr/bin/python3` → `python3`; of Windows without its ending. */
function nameOf(word: string): string {
  const name = word.replace(/^.*[/\\]/, '');
  return name.replace(/\.(exe|cmd|bat)$/i, '');
}

/** The same of the text that a shell runs; what a shell cannot know before it runs, such as `$TOOL`, counts as a program. */
function unseenInScript(text: string, isHarmless: IsKnown, isKnown: IsKnown): string | undefined {
  const quoted: string[] = [];
  const substituted: string[] = [];
  const keep = (inner: string) => {
    for (const [, one = '', two = ''] of inner.matchAll(/\$\(([^()]*)\)|`([^`]*)`/g)) {
      substituted.push(one || two);
    }
  };
  const plain = text
    .replace(/\0/g, '')
    .replace(/\\\r?\n/g, ' ')
    .replace(/\$\(\([^)]*\)\)/g, '0')
    .replace(
      /<<-?\s*(['"]?)(\w+)\1(.*)\n([\s\S]*?)\n\s*\2(?=\n|$)/g,
      (_, quote, __, rest, body) => {
        if (quote === '') keep(body);
        return rest;
      },
    )
    .replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"/g, (_, single?: string, double = '') => {
      keep(double);
      quoted.push(single ?? double.replace(/\\(["$`\\])/g, '$1'));
      return `\0${quoted.length - 1}\0`;
    })
    .replace(/(^|\s)#.*$/gm, '')
    .replace(/\d*[<>]&\d+|&>/g, ' ');
  for (const command of [...substituted, plain].flatMap(commandsIn)) {
    const words = command.map((word) => word.replace(/\0(\d+)\0/g, (_, at) => quoted[at] ?? ''));
    const found = unseenIn(words, isHarmless, isKnown);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The words of each command. */
function commandsIn(text: string): string[][] {
  return text
    .split(/[;|&\n()`]|\$\(/)
    .map((command) =>
      command
        .replace(/\d*[<>]+\s*\S+/g, ' ')
        .trim()
        .split(/\s+/),
    )
    .filter(([first = '']) => first !== '');
}
