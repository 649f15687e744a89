import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request for an embedding or a chat completion, as far as the server reads it. */
interface ModelRequest {
  readonly model: string;
  readonly input?: string;
  readonly messages?: readonly { readonly content: string }[];
}

const size = 64;

/**
 * Starts a model on a free port of this machine that speaks OpenAI's embeddings and chat completions, and answers with its
 * base URL. It ends with the process.
 */
export async function startModelServer(): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    response.setHeader('content-type', 'application/json').end(answerTo(JSON.parse(body)));
  });
  server.unref();
  server.on('connection', (socket) => socket.unref());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

function answerTo({ model, input, messages = [] }: ModelRequest): string {
  if (input !== undefined) {
    // As the client asks for it: the numbers in Base64.
    const embedding = Buffer.from(Float32Array.from(vectorOf(input)).buffer).toString('base64');
    const usage = { prompt_tokens: tokensOf(input), total_tokens: tokensOf(input) };
    const data = [{ object: 'embedding', index: 0, embedding }];
    return JSON.stringify({ object: 'list', model, data, usage });
  }
  const [system, question] = messages.map(({ content }) => content);
  const content = closest(question ?? '', (system ?? '').split('\n').slice(1));
  const message = { role: 'assistant', content, refusal: null };
  const usage = {
    prompt_tokens: tokensOf(`${system} ${question}`),
    completion_tokens: tokensOf(content),
    total_tokens: tokensOf(`${system} ${question} ${content}`),
  };
  return JSON.stringify({
    ...{ id: 'chatcmpl-rag', object: 'chat.completion', created: 1_795_000_000, model, usage },
    choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
  });
}

/** The sentence that has most words of the question. */
function closest(question: string, texts: readonly string[]): string {
  const asked = new Set(stems(question));
  const sentences = texts.flatMap((text) => text.match(/.+?\.(?= |$)/g) ?? []);
  const shared = (text: string) => stems(text).filter((stem) => asked.has(stem)).length;
  return [...sentences].sort((a, b) => shared(b) - shared(a))[0]?.trim() ?? 'I do not know.';
}

/** A direction for a text: words in common point in the same one. */
function vectorOf(text: string): number[] {
  const vector = Array<number>(size).fill(0);
  for (const stem of stems(text)) {
    const at = [...stem].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 9973, 7);
    vector[at % size] = 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

const common = new Set(
  'a all and are be by can do does for how i in is it my of the to what with you your'.split(' '),
);

/** The first letters of the words that say something. */
function stems(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.filter((word) => !common.has(word)).map((word) => word.slice(0, 5));
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}
