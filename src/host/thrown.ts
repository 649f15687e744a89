import { fileURLToPath } from 'node:url';
import { parseFrame } from '../authoring/call-site.js';
import { describeValue } from '../authoring/describe-value.js';
import { isObject } from '../model/json.js';
import type { Score } from '../model/scores/score.js';
import { shownPath } from '../text/file-path.js';
import { hostOf } from '../text/parsed-url.js';
import { hidesContent, kindOf } from '../values/inspect-value.js';
import type { FailedCall } from './calls/call-record.js';

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
function locationOf(thrown: unknown, folder: string): string | undefined {
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

/**
 * The failed score under `key` that a failed assertion means, with its message as notes and the user's line as
 * location; `undefined` for any other error.
 */
export function assertionScore(error: unknown, key: string, folder: string): Score | undefined {
  if (!isAssertionError(error)) return undefined;
  const location = locationOf(error, folder);
  return { key, passed: false, notes: messageText(error), ...(location && { location }) };
}

/**
 * True for failed assertions of node:assert, chai, and the `expect` of vitest and jest, whichever copy or realm made
 * them. Recognised by the name `AssertionError`, the code `ERR_ASSERTION`, or a `matcherResult`.
 */
function isAssertionError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  try {
    const { name, code, matcherResult } = error as Record<string, unknown>;
    return name === 'AssertionError' || code === 'ERR_ASSERTION' || isObject(matcherResult);
  } catch {
    return false; // what user code throws may have getters that throw
  }
}

/**
 * True for a thrown error that is the failure of a call of a model, or has it among its causes: no connection, 429 or 5xx.
 * Clients wrap it in errors of their own: these have its status, its error as their cause, or a list of errors. What was
 * thrown for another reason after such a failure is none, nor is one that only quotes its text.
 */
export function isTransportFailure(thrown: unknown, calls: readonly FailedCall[]): boolean {
  if (calls.length === 0) return false;
  const errors = withCauses(thrown);
  return calls.some(({ status, url, error }) => {
    const own = withCauses(error);
    return errors.some((one) =>
      status === undefined
        ? own.some((cause) => one === cause || quotes(one, cause))
        : statusesOf(one).includes(status) && isOfHost(one, hostOf(url)),
    );
  });
}

/** True for an error of node-fetch, which has code and message of its cause, but not the cause. */
function quotes(error: object, cause: object): boolean {
  const [code, message] = [fieldOf(cause, 'code'), fieldOf(cause, 'message')];
  const text = fieldOf(error, 'message');
  if (typeof message !== 'string' || typeof text !== 'string' || code === undefined) return false;
  return fieldOf(error, 'code') === code && text.includes(message);
}

/** False for an error that names another host. */
function isOfHost(error: object, host: string): boolean {
  const places = [error, ...['response', 'config', 'request'].map((name) => fieldOf(error, name))];
  const urls = places
    .map((place) => fieldOf(place, 'url'))
    .filter((url) => typeof url === 'string');
  const hosts = urls.filter((url) => /^https?:/.test(url)).map(hostOf);
  return hosts.length === 0 || hosts.includes(host);
}

/** An error, its causes, and the errors that it is a list of; `RetryError` of the AI SDK is one. */
function withCauses(thrown: unknown): object[] {
  const found = new Set<object>();
  const add = (error: unknown) => {
    if (typeof error !== 'object' || error === null || found.size >= mostErrors) return;
    found.add(error);
  };
  add(thrown);
  // A set also goes through what is added meanwhile.
  for (const error of found) {
    add(fieldOf(error, 'cause'));
    const errors = fieldOf(error, 'errors');
    if (Array.isArray(errors)) errors.forEach(add);
  }
  return [...found];
}

/** The status of an answer in the errors of clients: of OpenAI, Anthropic and Google, the AI SDK, Ollama, axios and got, AWS. */
function statusesOf(error: object): number[] {
  const named = ['status', 'statusCode', 'status_code'];
  const response = fieldOf(error, 'response');
  const metadata = fieldOf(error, '$metadata');
  const found = [
    ...named.map((name) => fieldOf(error, name)),
    ...named.map((name) => fieldOf(response, name)),
    fieldOf(metadata, 'httpStatusCode'),
  ];
  return found.filter((status) => typeof status === 'number');
}

/** User code may throw what has getters that throw. */
function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    return (value as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}
