import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request for a chat completion, as far as the server reads it. */
interface ModelRequest {
  readonly model: string;
  readonly messages: readonly { readonly content: string }[];
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
    const prompt = messages.map(({ content }) => content).join('\n');
    const content = JSON.stringify(read(messages.at(-1)?.content ?? ''));
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        ...{ id: 'chatcmpl-extraction', object: 'chat.completion', model },
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

const currencies: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP', $: 'USD' };

/** Reads an invoice with the mistakes that models make: decimal commas, days before months, and dates that are not there. */
function read(text: string) {
  const [supplier = ''] = text.split('\n');
  const [, number = ''] = /invoice (?:no\. )?([A-Z0-9/-]+)/i.exec(text) ?? [];
  const [, sign = '€', amount = '0'] = /total:? ([€£$])?\s?([\d.,]+)/i.exec(text) ?? [];
  const [, code] = /\b(EUR|GBP|USD)\b/.exec(text) ?? [];
  return {
    supplier,
    number,
    total: amount.includes('.')
      ? Number(amount.replaceAll(',', '')) || amount
      : Number(amount.replace(',', '')),
    currency: code ?? currencies[sign],
    due: dueDate(text),
  };
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

function dueDate(text: string): string | null {
  const iso = /due:? (\d{4}-\d\d-\d\d)/i.exec(text)?.[1];
  if (iso !== undefined) return iso;
  const [, day = '', name = '', year = ''] = /due:? (\d+) ([a-z]+) (\d{4})/i.exec(text) ?? [];
  const month = months.indexOf(name.slice(0, 3).toLowerCase()) + 1;
  if (month > 0) return [year, twoDigits(month), twoDigits(day)].join('-');
  const [, first = '', second = '', of] = /due:? (\d+)\/(\d+)\/(\d{4})/i.exec(text) ?? [];
  if (of !== undefined) return [of, twoDigits(first), twoDigits(second)].join('-');
  // The date of the invoice, since none is due.
  return /\d{4}-\d\d-\d\d/.exec(text)?.[0] ?? null;
}

function twoDigits(number: number | string): string {
  return String(number).padStart(2, '0');
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}
