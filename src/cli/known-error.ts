import { AssayError, hasSystemCode, shortageOf } from '../errors.js';
import { quotedName } from '../text/name-text.js';
import { didYouMean } from '../text/near-names.js';

/** Converts an error that a user can fix; `undefined` for a bug. */
export function readKnownError(error: unknown): ShownError | undefined {
  if (error instanceof AssayError) {
    return { code: error.code, message: withoutFrame(error.message), hints: error.hints };
  }
  if (isFolderGone(error)) {
    return {
      code: 'no-such-path',
      message: 'The working directory no longer exists.',
      hints: ['Change to an existing folder and try again.'],
    };
  }
  const shortage = shortageOf(error);
  if (shortage !== undefined) {
    return { code: 'host-failed', message: `It cannot continue: ${shortage}.`, hints: [] };
  }
  return readUsageError(error);
}

/** True for the error of any file operation after the working directory was deleted. */
function isFolderGone(error: unknown): boolean {
  return hasSystemCode(error, 'ENOENT') && (error as NodeJS.ErrnoException).syscall === 'uv_cwd';
}

/** Removes oclif's frame around the message of a flag's own parser. */
function withoutFrame(message: string): string {
  const framed = /^Parsing --\S+ *\n\s*([\s\S]*?)\n\s*See more help with --help$/.exec(message);
  return framed?.[1] ?? message;
}

/** Translates an error of oclif's parser into the words of this command line; `undefined` for any other error. */
function readUsageError(error: unknown): ShownError | undefined {
  if (!(error instanceof Error) || !('oclif' in error)) return undefined;
  const missing = missingArguments(error);
  if (missing !== undefined) return missing;
  const lines = error.message
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !beside.test(line));
  const said = lines.map(inOwnWords);
  const [message = '', ...more] = new Set(said.map(({ text }) => text));
  const near = said.flatMap(({ near }) => near ?? []);
  return { code: 'usage', message, hints: [...nearFlags(error), ...near, ...more] };
}

// Lines that only announce others, and advice that is wrong for flags that take one value at a time.
const beside = /^(?:The following errors? occurred:|Note: --.*|Alternatively, you can use "--".*)$/;

interface Said {
  readonly text: string;
  /** A suggestion. */
  readonly near?: string | undefined;
}

/** oclif's messages and their replacements. */
const phrases: readonly (readonly [said: RegExp, say: (...found: string[]) => Said])[] = [
  [/^Nonexistent flags?: (.*)$/, (names = '') => ({ text: `There is no flag ${listed(names)}.` })],
  [/^Flag (--\S+) expects a value$/, (flag) => ({ text: `${flag} needs a value.` })],
  [
    /^Flag (--\S+) can only be specified once$/,
    (flag) => ({ text: `${flag} can be given only once.` }),
  ],
  [
    /^Expected (--[^=\s]+)=(.*) to be one of: (.*)$/,
    (flag, given = '', options = '') => ({
      text: `${flag} takes ${listed(options)}, not ${quotedName(given)}.`,
      near: didYouMean(given, options.split(', ')),
    }),
  ],
  [
    /^(--[^=\s]+)(?:=.*)? cannot also be provided when using (--\S+)$/,
    // oclif reports the conflict for both flags.
    (...flags) => ({ text: `${flags.sort().join(' and ')} cannot be given together.` }),
  ],
  [
    /^One of the following must be provided when using (--\S+): (.*)$/,
    (flag, others = '') => ({ text: `${flag} needs ${listed(others)}.` }),
  ],
  [
    /^Unexpected arguments?: (.*)$/,
    (given = '') => ({ text: `There is one argument too many: ${given}.` }),
  ],
];

/** Names the arguments that a command needs and did not get, each with what it is. */
function missingArguments(error: Error): ShownError | undefined {
  const { args } = error as { args?: readonly { name: string; description?: string }[] };
  if (!/^Missing \d+ required args?\b/.test(error.message) || !Array.isArray(args))
    return undefined;
  const names = args.map(({ name }) => name.toUpperCase());
  const are = names.length === 1 ? 'is' : 'are';
  return {
    code: 'usage',
    message: `${names.join(' and ')} ${are} missing.`,
    hints: [
      ...args.map(({ description = '' }, at) => `${names[at]}: ${description}`),
      'See more help with --help',
    ],
  };
}

function inOwnWords(line: string): Said {
  for (const [said, say] of phrases) {
    const found = said.exec(line);
    if (found !== null) return say(...found.slice(1));
  }
  return { text: line };
}

function listed(names: string): string {
  const all = names.split(', ');
  const last = all.pop() ?? '';
  return all.length === 0 ? last : `${all.join(', ')} or ${last}`;
}

function nearFlags(error: Error): string[] {
  const { flags, parse } = error as { flags?: unknown; parse?: { input?: { flags?: object } } };
  if (!Array.isArray(flags)) return [];
  const known = Object.keys(parse?.input?.flags ?? {}).map((name) => `--${name}`);
  return flags.flatMap((flag) => didYouMean(String(flag), known) ?? []);
}

/** An error for people and, with --json, for scripts. */
export interface ShownError {
  readonly code: string;
  readonly message: string;
  readonly hints: readonly string[];
}
