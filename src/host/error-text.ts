import { fileURLToPath } from 'node:url';
import { describeValue } from '../authoring/describe-value.js';

const maxLength = 16 * 1024;
const ownFolder = new URL('..', import.meta.url);
const ownFrames = [
  ownFolder.href,
  fileURLToPath(ownFolder),
  '(node:',
  ' node:',
  'Promise.all (index',
];

/** Name, message and the user's own stack lines of anything that was thrown, with its causes. */
export function errorText(thrown: unknown): string {
  const text = describe(thrown, 0);
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`;
}

/** The message alone of anything that was thrown. */
export function messageText(thrown: unknown): string {
  try {
    return String(isErrorLike(thrown) ? thrown.message : thrown);
  } catch {
    return cannotBeShown;
  }
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

// Only the keys of an object: what stands under them may be anybody's secret.
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
  if (typeof error.stack !== 'string') return heading;
  const frames = error.stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && !ownFrames.some((own) => line.includes(own)));
  return [heading, ...frames].join('\n');
}
