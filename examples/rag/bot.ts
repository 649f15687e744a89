import OpenAI from 'openai';
import { documents } from './documents.js';
import { startModelServer } from './model-server.js';

/** A client as for the real API, with its key from the environment; only its address is that of the model of this example. */
const openai = new OpenAI({ baseURL: await startModelServer() });

interface Entry {
  readonly text: string;
  readonly vector: readonly number[];
}

let index: Promise<readonly Entry[]> | undefined;

/** Finds the documents that are closest to a question, closest first. The first question of a process embeds them all. */
export async function retrieve(question: string, count = 2): Promise<string[]> {
  index ??= Promise.all(documents.map(async (text) => ({ text, vector: await embed(text) })));
  const [entries, asked] = await Promise.all([index, embed(question)]);
  const scored = entries.map(({ text, vector }) => ({ text, score: product(vector, asked) }));
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, count)
    .map(({ text }) => text);
}

/** Answers a question from documents. */
export async function answer(question: string, found: readonly string[]): Promise<string> {
  const { choices } = await openai.chat.completions.create({
    model: 'gpt-5-mini',
    messages: [
      { role: 'system', content: `Answer in one sentence from this:\n${found.join('\n')}` },
      { role: 'user', content: question },
    ],
  });
  return choices[0]?.message.content ?? '';
}

async function embed(input: string): Promise<readonly number[]> {
  const { data } = await openai.embeddings.create({ model: 'text-embedding-3-small', input });
  return data[0]?.embedding ?? [];
}

function product(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}
