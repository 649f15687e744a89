import { evaluation, fromJsonl } from 'assay';
import { rubric } from 'assay/graders';
import OpenAI from 'openai';
import { startModelServer } from './model-server.js';

interface SavedAnswer {
  readonly id: string;
  readonly input: string;
  readonly reference: string;
  readonly dataset: string;
  readonly metadata: { readonly answer: string };
}

/** A client as for the real API, with its key from the environment; only its address is that of the model of this example. */
const openai = new OpenAI({ baseURL: await startModelServer() });

const correct = rubric(
  `The customer learns what happens or what to do, without being misled.
Pass: all that the answer says agrees with the reference; a detail is left out.
Fail: an amount, a date or a condition is another one; something is promised that the reference does not say; the question stays open.`,
  { key: 'correct', ask, compareWith: 'reference' },
);

/** Answers that a shop gave to its customers, judged by a model. */
export const support = evaluation({
  cases: fromJsonl<SavedAnswer>(new URL('./answers.jsonl', import.meta.url)),
  target: ({ metadata }) => metadata.answer,
  evaluators: [correct],
});

async function ask(prompt: string, { signal }: { readonly signal: AbortSignal }): Promise<string> {
  const { choices } = await openai.chat.completions.create(
    { model: 'gpt-5-mini', messages: [{ role: 'user', content: prompt }] },
    { signal },
  );
  return choices[0]?.message.content ?? '';
}
