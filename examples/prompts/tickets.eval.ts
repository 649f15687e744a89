import { readFile } from 'node:fs/promises';
import { evaluation, fromJsonl } from 'assay';
import OpenAI from 'openai';
import { startModelServer } from './model-server.js';

interface Ticket {
  readonly id: string;
  readonly input: string;
  readonly reference: string;
  readonly dataset: string;
}

/** A client as for the real API, with its key from the environment; only its address is that of the models of this example. */
const openai = new OpenAI({ baseURL: await startModelServer() });

/** Sorts messages of customers into queues. The two params are what the runs of a command vary. */
export const tickets = evaluation({
  params: { prompt: 'terse', model: 'gpt-4.1' },
  cases: fromJsonl<Ticket>(new URL('./tickets.jsonl', import.meta.url)),
  trials: 5,
  target: ({ input, params }) => findQueue(input, params),
  evaluators: [
    ({ output, reference }) => ({
      key: 'queue',
      passed: output === reference,
      notes: `the queue is ${reference}`,
    }),
  ],
});

/** The queue is the last line of the answer. Only the prompt that is asked for is read, so an edit of it leaves the others as they are. */
async function findQueue(message: string, params: { prompt: string; model: string }) {
  const prompt = new URL(`./prompts/${params.prompt}.md`, import.meta.url);
  const { choices } = await openai.chat.completions.create({
    model: params.model,
    messages: [
      { role: 'system', content: await readFile(prompt, 'utf8') },
      { role: 'user', content: message },
    ],
  });
  return choices[0]?.message.content?.trim().split('\n').at(-1) ?? '';
}
