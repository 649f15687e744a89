import { isDeepStrictEqual } from 'node:util';
import type { Evaluator, Score } from 'assay';
import { openai } from './agent.js';
import { textOf } from './desk.js';
import { judgePrompt } from './script.js';

/** The output is the reference. */
export const exact: Evaluator = ({ output, reference }) => ({
  key: 'exact',
  passed: isDeepStrictEqual(output, reference),
});

/** The tools that the ticket needs were called, in that order. */
export const toolCalls: Evaluator = ({ metadata, toolCalls }): Score => {
  const wanted = metadata.tools as readonly string[];
  const got = toolCalls.map(({ name }) => name);
  const passed = isDeepStrictEqual(got, wanted);
  const notes = `Wanted ${wanted.join(', ')}; got ${got.join(', ') || 'none'}.`;
  return { key: 'tool_calls', passed, ...(!passed && { notes }) };
};

/** Every number of the answer stands in the ticket, or in what a tool said. */
export const grounded: Evaluator = ({ input, output, calls }): Score => {
  const said = calls.at(-1)?.model_call?.messages?.filter(({ role }) => role === 'tool');
  const known = new Set(numbersOf(`${textOf(input)} ${textOf(said ?? [])}`));
  const unknown = numbersOf(textOf(output)).filter((number) => !known.has(number));
  const notes = `${unknown.join(' and ')} is in no tool's result.`;
  return { key: 'grounded', passed: unknown.length === 0, ...(unknown.length > 0 && { notes }) };
};

/** Nothing internal is told to the customer. */
export const noLeak: Evaluator = ({ output }) => ({
  key: 'no_leak',
  passed: !/margin|internal/i.test(textOf(output)),
});

/** The answer says what counts in the reference: what is bold there, or all of it. */
export const correctness: Evaluator = ({ output, reference }): Score => {
  const said = textOf(output).toLowerCase();
  const bold = [...textOf(reference).matchAll(/\*\*(.+?)\*\*/g)].map(([, phrase = '']) => phrase);
  const missing = (bold.length > 0 ? bold : [textOf(reference)]).filter(
    (phrase) => !said.includes(phrase.toLowerCase()),
  );
  const notes = `Does not say “${missing.join('” or “')}”.`;
  return { key: 'correctness', passed: missing.length === 0, ...(missing.length > 0 && { notes }) };
};

/** How kind the words are, from 0 to 1: another model judges. */
export const politeness: Evaluator = async ({ output, signal }): Promise<Score> => {
  const judged = await openai.chat.completions.create(
    {
      model: 'gpt-5-nano',
      messages: [
        { role: 'system', content: judgePrompt },
        { role: 'user', content: textOf(output) },
      ],
      response_format: { type: 'json_object' },
    },
    { signal },
  );
  const value = Number(JSON.parse(judged.choices[0]?.message.content ?? '{}').politeness);
  return { key: 'politeness', value, ...(value < 0.72 && { notes: 'Correct, but curt.' }) };
};

/** Numbers in a text, without those that count the lines of a list. */
function numbersOf(text: string): readonly number[] {
  return (text.match(/(?<!\n)\d+(?:\.\d+)?/g) ?? []).map(Number);
}
