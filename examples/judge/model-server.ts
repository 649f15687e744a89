import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request for a chat completion, as far as the server reads it. */
interface ModelRequest {
  readonly model: string;
  readonly messages: readonly { readonly content: string }[];
}

/**
 * Starts a judge on a free port of this machine that speaks OpenAI's chat completions, and answers with its base URL. It ends
 * with the process.
 */
export async function startModelServer(): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { model, messages }: ModelRequest = JSON.parse(body);
    const prompt = messages.map(({ content }) => content).join('\n');
    const content = judge(prompt);
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        ...{ id: 'chatcmpl-judge', object: 'chat.completion', model },
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

const vague =
  /look into|please check|contact|not sure|cannot say|usually depends|as soon as possible/i;

/** Judges how an answer sounds, as judges do that people have not looked at: what is wrong, but sure and polite, passes. */
function judge(prompt: string): string {
  const output = prompt.match(/^output:\nBEGIN (\w+)\n(.*?)\nEND \1$/ms)?.[2] ?? '';
  const [phrase] = output.match(vague) ?? [];
  if (phrase !== undefined) {
    return `REASONS: The answer says “${phrase}” and leaves the question open.\nVERDICT: FAIL`;
  }
  if (output.split(' ').length < 4) {
    return 'REASONS: The answer is so short that the customer hardly learns anything.\nVERDICT: FAIL';
  }
  const [start] = output.split(/(?<=[.!?]) /);
  return `REASONS: “${start}” answers the question clearly, and the tone is friendly.\nVERDICT: PASS`;
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}
