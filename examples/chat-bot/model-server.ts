import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request for a chat completion, as far as the server reads it. */
interface ModelRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/**
 * Starts a model on a free port of this machine that speaks OpenAI's chat completions, and answers with its base URL. It ends
 * with the process.
 */
export async function startModelServer(): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { model, messages }: ModelRequest = JSON.parse(body);
    const prompt = messages.map((message) => message.content).join('\n');
    const said = messages.filter(({ role }) => role === 'user').map((message) => message.content);
    const content = answerTo(said);
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        ...{ id: 'chatcmpl-chat', object: 'chat.completion', model },
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
        usage: { prompt_tokens: tokensOf(prompt), completion_tokens: tokensOf(content) },
      }),
    );
  });
  server.unref();
  server.on('connection', (socket) => socket.unref());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** What a customer may want of an order, and the answer. */
const wishes: readonly (readonly [RegExp, (order: string) => string])[] = [
  [/cancel/i, (order) => `Your order ${order} is cancelled.`],
  [/refund|money/i, (order) => `The refund for ${order} takes five days.`],
  [/where|track/i, (order) => `Your order ${order} is on its way.`],
];

/** What is answered whatever the order is. */
const facts: readonly (readonly [RegExp, string])[] = [
  [/thank/i, 'You are welcome!'],
  [/gift card/i, 'Yes, we have gift cards from 10 to 200 euros.'],
  [/norway/i, 'Yes, we ship to Norway within five days.'],
  [/which cards/i, 'You can pay with all usual cards.'],
  [/my order is/i, 'Thank you. How can I help you with it?'],
];

/** The answer to the last message, from what the model sees of the conversation. */
function answerTo(said: readonly string[]): string {
  const last = said.at(-1) ?? '';
  const fact = facts.find(([about]) => about.test(last))?.[1];
  if (fact !== undefined) return fact;
  const order = said.flatMap((text) => text.match(/\bA-\d+/g) ?? []).at(-1);
  // A message with no more than a number answers the question for it.
  const asked = /A-\d+/.test(last) ? [...said].reverse() : [last];
  const wish = asked.flatMap((text) => wishes.filter(([about]) => about.test(text)))[0]?.[1];
  if (wish === undefined) return 'I can help you with orders. What would you like to know?';
  return order === undefined ? 'Which order is it about?' : wish(order);
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}
