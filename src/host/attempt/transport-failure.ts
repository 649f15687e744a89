import { hostOf } from '../../text/parsed-url.js';
import type { FailedCall } from '../calls/call-record.js';

/** Most errors that are looked at of one that was thrown. */
const mostErrors = 100;

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
