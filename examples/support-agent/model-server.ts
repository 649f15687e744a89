import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fraction, type Message, nextMessage, type Said } from './script.js';

/** A request for a chat completion, as far as the server reads it. */
interface ChatRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly seed?: number;
  readonly stream?: boolean;
}

/** Of how many requests one is told to come back later. */
const busyShare = 1 / 12;
/** The model is quicker than a real one. */
const speed = 60;

/**
 * Starts a model on a free port of this machine that speaks OpenAI's chat completions, and answers with its base URL.
 * It ends with the process.
 */
export async function startModelServer(): Promise<string> {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.unref();
  server.on('connection', (socket) => socket.unref());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  const chat = JSON.parse(body) as ChatRequest;
  const isFirstTry = request.headers['x-stainless-retry-count'] === '0';
  if (isFirstTry && isBusy(chat)) {
    const headers = { 'retry-after': '1', 'retry-after-ms': '40' };
    return refuse(response, 429, 'Rate limit reached: try again in 40 ms.', headers);
  }
  const said = nextMessage(chat.messages, chat.seed ?? 0);
  if (said === undefined) {
    return refuse(response, 400, 'The response was filtered by the content policy.');
  }
  await (chat.stream === true ? stream(response, chat, said) : complete(response, chat, said));
}

function isBusy({ messages, seed = 0 }: ChatRequest): boolean {
  return fraction(`peak ${seed} ${messages.length} ${messages.at(-1)?.content}`) < busyShare;
}

function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ error: { message, type: 'server_error', code: null } }));
}

async function complete(response: ServerResponse, chat: ChatRequest, said: Said): Promise<void> {
  await delay((said.seconds * 1000) / speed);
  const message = { role: 'assistant', content: said.text, refusal: null };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: 'stop' }];
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({ ...head(chat, 'chat.completion'), choices, usage: usage(chat, said) }),
  );
}

/** The answer in pieces, as the model thinks of them. */
async function stream(response: ServerResponse, chat: ChatRequest, said: Said): Promise<void> {
  const deltas = said.tool === undefined ? textDeltas(said.text) : toolDeltas(chat, said.tool);
  const pause = (said.seconds * 1000) / speed / (deltas.length + 3);
  await delay(3 * pause);
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const send = (choices: readonly unknown[], more = {}) => {
    const chunk = { ...head(chat, 'chat.completion.chunk'), choices, ...more };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  for (const delta of deltas) {
    send([{ index: 0, delta, logprobs: null, finish_reason: null }]);
    await delay(pause);
  }
  const finish_reason = said.tool === undefined ? 'stop' : 'tool_calls';
  send([{ index: 0, delta: {}, logprobs: null, finish_reason }]);
  send([], { usage: usage(chat, said) });
  response.end('data: [DONE]\n\n');
}

function head({ model, messages }: ChatRequest, object: string) {
  const id = `chatcmpl-${fraction(JSON.stringify(messages)).toString(36).slice(2)}`;
  return { id, object, created: Math.floor(Date.now() / 1000), model };
}

function textDeltas(text: string): readonly unknown[] {
  const pieces = text.match(/[\s\S]{1,24}/gu) ?? [];
  return [{ role: 'assistant', content: '' }, ...pieces.map((content) => ({ content }))];
}

function toolDeltas({ messages }: ChatRequest, { name, input }: NonNullable<Said['tool']>) {
  const call = { index: 0, id: `call_${messages.length}`, type: 'function' };
  const begun = { ...call, function: { name, arguments: '' } };
  const rest = { index: 0, function: { arguments: JSON.stringify(input) } };
  return [{ role: 'assistant', content: null, tool_calls: [begun] }, { tool_calls: [rest] }];
}

/** Four characters count as a token; what was sent before the last answer is in the cache. */
function usage({ messages }: ChatRequest, { text, tool }: Said) {
  const tokens = (value: unknown) => Math.ceil(JSON.stringify(value).length / 4);
  const known = messages.slice(0, messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  const prompt_tokens = tokens(messages);
  const completion_tokens = tokens(tool ?? text);
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    prompt_tokens_details: { cached_tokens: known.length === 0 ? 0 : tokens(known) },
  };
}
