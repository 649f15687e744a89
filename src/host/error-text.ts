import { fileURLToPath } from 'node:url';
import { parseFrame } from '../authoring/call-site.js';
import { describeValue } from '../authoring/describe-value.js';
import { shownPath } from '../text/file-path.js';
import { hidesContent, kindOf } from '../values/inspect-value.js';

const maxLength = 16 * 1024;
const ownFolder = new URL('..', import.meta.url);
const ownFrames = [
  ownFolder.href,
  fileURLToPath(ownFolder),
  '(node:',
  ' node:',
  'Promise.all (index',
];

/** Name, message and user frames of any thrown value, including its causes and the errors that it collects. */
export function errorText(thrown: unknown): string {
  const text = describe(thrown, 0, new Set());
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
const mostErrors = 100;
const deepest = 10;

/** What is nested in an error, with the words before it. */
interface Nested {
  readonly label: string;
  readonly thrown: unknown;
  /** One of several: stands indented below the error. */
  readonly isListed?: true;
}

/** `above`: everything that the text shows already, so that it shows a circle once. */
function describe(thrown: unknown, depth: number, above: Set<unknown>): string {
  try {
    const heading = headingOf(thrown);
    if (typeof thrown !== 'object' || thrown === null) return heading;
    if (above.has(thrown)) return `${heading} (the error above)`;
    above.add(thrown);
    const own = [heading, ...(isErrorLike(thrown) ? userFrames(thrown) : [])].join('\n');
    if (depth >= deepest) return own;
    const nested = nestedIn(thrown);
    const shown = nested.slice(0, mostErrors).map(({ label, thrown: inner, isListed }) => {
      const text = `${label}${describe(inner, depth + 1, above)}`;
      return isListed ? text.replace(/^/gm, '  ') : text;
    });
    const left = nested.length - shown.length;
    return [own, ...shown, ...(left > 0 ? [`  … and ${left} more`] : [])].join('\n');
  } catch {
    return cannotBeShown;
  }
}

function nestedIn(error: object): Nested[] {
  if (!isErrorLike(error)) {
    return Array.isArray(error) && error.some(isErrorLike) ? listOf(error) : [];
  }
  const { errors, error: disposal, suppressed } = error as Partial<AggregateError & Suppressed>;
  return [
    ...(isListOfErrors(error, errors) ? listOf(errors) : []),
    ...(error.name === 'SuppressedError'
      ? [
          { label: 'Thrown by the disposal: ', thrown: disposal, isListed: true as const },
          { label: 'Suppressed by it: ', thrown: suppressed, isListed: true as const },
        ]
      : []),
    ...(error.cause === undefined ? [] : [{ label: 'Caused by: ', thrown: error.cause }]),
  ];
}

function listOf(errors: readonly unknown[]): Nested[] {
  return errors.map((thrown, at): Nested => {
    return { label: `${at + 1} of ${errors.length}: `, thrown, isListed: true };
  });
}

interface Suppressed {
  readonly error: unknown;
  readonly suppressed: unknown;
}

/** Errors of validators have other lists by this name. */
function isListOfErrors(error: Error, errors: unknown): errors is unknown[] {
  return Array.isArray(errors) && (error.name === 'AggregateError' || errors.every(isErrorLike));
}

function headingOf(thrown: unknown): string {
  if (!isErrorLike(thrown)) return `threw something that is not an Error: ${valueText(thrown)}`;
  const { name, message } = thrown;
  if (typeof name === 'string' && name !== '') {
    return message === '' ? name : `${name}: ${message}`;
  }
  if (thrown instanceof Error) return `Error: ${message}`;
  return `threw something that is not an Error: ${message}${codeText(thrown)}`;
}

/** The status or code of a thrown answer. */
function codeText(thrown: object): string {
  for (const name of ['code', 'status', 'statusCode']) {
    const value = (thrown as Readonly<Record<string, unknown>>)[name];
    if (typeof value === 'number' || (typeof value === 'string' && value.length <= 40)) {
      return ` (${name} ${value})`;
    }
  }
  return '';
}

// Only the keys of an object: its values may be secrets.
function valueText(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  if (thrown instanceof Response) return responseText(thrown);
  const { error } = thrown as { readonly error?: unknown };
  // The body of an answer of a model: { error: { message } }.
  if (isErrorLike(error)) return `${error.message}${codeText(error)}`;
  const isBare = Object.keys(thrown).length === 0 && hidesContent(thrown);
  return isBare ? kindOf(thrown) : `${describeValue(thrown)}${codeText(thrown)}`;
}

function responseText({ status, statusText, url }: Response): string {
  const [address = ''] = url.split(/[?#]/);
  const words = statusText === '' ? '' : ` ${statusText}`;
  return `a Response with status ${status}${words}${address === '' ? '' : ` from ${address}`}`;
}

function isErrorLike(thrown: unknown): thrown is Error {
  return (
    typeof thrown === 'object' &&
    thrown !== null &&
    'message' in thrown &&
    typeof thrown.message === 'string'
  );
}

/** The frames of a stack, below the message, without those of assay and Node. */
function userFrames({ stack, message }: Error): string[] {
  if (typeof stack !== 'string') return [];
  const at = stack.indexOf(message);
  // Unless the message was changed later, it begins in the first line; it may contain lines that look like frames.
  const isHeading = at !== -1 && at <= stack.indexOf('\n');
  const frames = stack
    .slice(isHeading ? at + message.length : 0)
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && !ownFrames.some((own) => line.includes(own)));
  // Built-in functions that assay has called.
  while (frames.at(-1)?.endsWith('(<anonymous>)') === true) frames.pop();
  return frames;
}
