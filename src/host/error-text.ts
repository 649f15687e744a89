import { fileURLToPath } from 'node:url';
import { parseFrame } from '../authoring/call-site.js';
import { describeValue } from '../authoring/describe-value.js';
import { shownPath } from '../text/file-path.js';

const maxLength = 16 * 1024;
const ownFolder = new URL('..', import.meta.url);
const ownFrames = [
  ownFolder.href,
  fileURLToPath(ownFolder),
  '(node:',
  ' node:',
  'Promise.all (index',
];

/** Name, message and user frames of any thrown value, including its causes. */
export function errorText(thrown: unknown): string {
  const text = describe(thrown, 0);
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`;
}

/** Only the message of any thrown value. */
export function messageText(thrown: unknown): string {
  try {
    return String(isErrorLike(thrown) ? thrown.message : thrown);
  } catch {
    return cannotBeShown;
  }
}

/**
 * `file:line:column` of the user frame that an error comes from, relative to `folder`; `undefined` if its stack has
 * none.
 */
export function locationOf(thrown: unknown, folder: string): string | undefined {
  try {
    if (!isErrorLike(thrown)) return undefined;
    for (const frame of userFrames(thrown)) {
      const place = /[\\/]node_modules[\\/]/.test(frame) ? undefined : parseFrame(frame);
      if (place !== undefined)
        return `${shownPath(folder, place.file)}:${place.line}:${place.column}`;
    }
  } catch {
    // An unreadable stack has no location.
  }
  return undefined;
}

const cannotBeShown = 'threw something that cannot be shown';

function describe(thrown: unknown, depth: number): string {
  try {
    if (!isErrorLike(thrown)) return `threw something that is not an Error: ${valueText(thrown)}`;
    const { cause } = thrown;
    const own = withoutOwnFrames(thrown);
    return cause === undefined || depth >= 3
      ? own
      : `${own}\nCaused by: ${describe(cause, depth + 1)}`;
  } catch {
    return cannotBeShown;
  }
}

// Only the keys of an object: its values may be secrets.
function valueText(thrown: unknown): string {
  return typeof thrown === 'object' && thrown !== null ? describeValue(thrown) : String(thrown);
}

function isErrorLike(thrown: unknown): thrown is Error {
  return (
    typeof thrown === 'object' &&
    thrown !== null &&
    'message' in thrown &&
    typeof thrown.message === 'string'
  );
}

function withoutOwnFrames(error: Error): string {
  const heading = error.message === '' ? error.name : `${error.name}: ${error.message}`;
  return [heading, ...userFrames(error)].join('\n');
}

/** The frames of a stack, below the message, without those of assay and Node. */
function userFrames({ stack, message }: Error): string[] {
  if (typeof stack !== 'string') return [];
  const at = stack.indexOf(message);
  // Unless the message was changed later, it begins in the first line; it may contain lines that look like frames.
  const isHeading = at !== -1 && at <= stack.indexOf('\n');
  return stack
    .slice(isHeading ? at + message.length : 0)
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && !ownFrames.some((own) => line.includes(own)));
}
