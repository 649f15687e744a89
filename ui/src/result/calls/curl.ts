import type { StoredCall, StoredCalls } from '../../../../src/model/calls/stored-calls.js';
import type { JsonObject } from '../../../../src/model/json.js';
import { shellWord } from '../../../../src/text/shell-word.js';
import { type Sent, wires } from './curl-bodies.js';
import { textsAt } from './stored-call.js';

/** The call as a command that makes it again, with the key in an environment variable; `undefined` where too little is kept of it. */
export function curlOf(stored: StoredCalls, { method, url, model_call }: StoredCall) {
  const path = url.replace(/\?.*/, '');
  const wire = wires.find((one) => one.path.test(path));
  // Input that is no text, such as token numbers, is not kept.
  if (wire === undefined || (model_call?.messages ?? []).length === 0) return undefined;
  const { model, messages, tools, parameters, stream = false } = model_call ?? {};
  const sent: Sent = {
    model,
    messages: textsAt(stored, messages) as JsonObject[],
    stream,
    rest: { ...(tools && { tools: textsAt(stored, tools) as JsonObject[] }), ...parameters },
  };
  const auth = wire.auth && (authAt(url) ?? wire.auth);
  const lines = [
    `curl -X ${method} ${addressOf(url, auth)}`,
    "-H 'Content-Type: application/json'",
    ...(auth === undefined ? [] : [`-H "${auth}"`]),
    ...(wire.headers ?? []).map((header) => `-H ${shellWord(header)}`),
    `-d ${shellWord(JSON.stringify(wire.body(sent)))}`,
  ];
  return lines.join(' \\\n  ');
}

/** Header with the key at hosts that take the request of another provider with a key of their own. */
function authAt(url: string): string | undefined {
  if (/^https:\/\/[^/]*\.azure\.com\//.test(url)) return 'api-key: $AZURE_OPENAI_API_KEY';
  const isVertex = /^https:\/\/[^/]*aiplatform\.googleapis\.com\//.test(url);
  return isVertex ? 'Authorization: Bearer $GOOGLE_ACCESS_TOKEN' : undefined;
}

/** The address as a word of a shell; values that are not kept are those of environment variables. */
function addressOf(url: string, auth = ''): string {
  // Google takes its key in a header as well.
  const kept = auth.startsWith('x-goog') ? url.replace(/([?&])key=…(?:&|$)/, '$1') : url;
  const address = kept.replace(/[?&]$/, '');
  if (!address.includes('=…')) return shellWord(address);
  const quotable = address.replace(/[`"\\$]/g, encodeURIComponent);
  const named = quotable.replace(/([^?&=]+)=…/g, (_, name: string) => {
    return `${name}=$${name.replace(/\W/g, '_').toUpperCase()}`;
  });
  return `"${named}"`;
}
