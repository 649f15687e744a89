import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A request for a chat completion, as far as the server reads it. */
interface ModelRequest {
  readonly model: string;
  readonly messages: readonly { readonly content: string }[];
}

interface Ticket {
  readonly input: string;
  readonly reference: string;
  readonly dataset: string;
}

const queues = ['billing', 'shipping', 'returns', 'account', 'product'];
const known = readFileSync(new URL('./tickets.jsonl', import.meta.url), 'utf8');
const tickets = new Map(
  known
    .trim()
    .split('\n')
    .map((line): Ticket => JSON.parse(line))
    .map((ticket) => [ticket.input, ticket]),
);
/** How often each request has come: a model does not always say the same. */
const asked = new Map<string, number>();

/**
 * Starts models on a free port of this machine that speak OpenAI's chat completions, and answers with their base URL. They end
 * with the process.
 */
export async function startModelServer(): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { model, messages }: ModelRequest = JSON.parse(body);
    const [prompt = '', message = ''] = messages.map(({ content }) => content);
    const content = answerTo(model, prompt, message);
    const tokens = tokensOf(content);
    await delay((isSmall(model) ? 10 : 30) + tokens);
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        ...{ id: 'chatcmpl-prompts', object: 'chat.completion', model },
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
        usage: { prompt_tokens: tokensOf(prompt + message), completion_tokens: tokens },
      }),
    );
  });
  server.unref();
  server.on('connection', (socket) => socket.unref());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

function answerTo(model: string, prompt: string, message: string): string {
  const ticket = tickets.get(message);
  const request = [model, prompt, message].join('\n');
  const time = (asked.get(request) ?? 0) + 1;
  asked.set(request, time);
  const isRight = luckOf(`${request}\n${time}`) < chanceOf(model, prompt, ticket);
  const others = queues.filter((queue) => queue !== ticket?.reference);
  const wrong = others[Math.floor(luckOf(message) * others.length)] ?? 'product';
  const queue = isRight && ticket !== undefined ? ticket.reference : wrong;
  if (!thinksFirst(prompt)) return queue;
  return `The customer needs help from those who look after ${queue}.\n${queue}`;
}

/** How likely the answer is right. Some messages are harder than others, for all models and prompts. */
function chanceOf(model: string, prompt: string, ticket: Ticket | undefined): number {
  if (ticket === undefined) return 0;
  const examples = Math.min(4, prompt.split('→').length - 1);
  const skill = (isSmall(model) ? 0.2 : 1) + examples * 0.2 + (thinksFirst(prompt) ? 1.7 : 0);
  const hardness = { plain: -2.5, indirect: -0.3, two_topics: 1 }[ticket.dataset] ?? 0;
  const own = 3 * (luckOf(ticket.input) - 0.5) + 2 * (luckOf(model + prompt + ticket.input) - 0.5);
  return 1 / (1 + Math.exp(-2 * (skill - hardness - own)));
}

function thinksFirst(prompt: string): boolean {
  return /first say/i.test(prompt);
}

function isSmall(model: string): boolean {
  return /mini|nano/.test(model);
}

/** A number from 0 to 1, the same for the same text. */
function luckOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}
