/** A client of models, and how the first evaluation asks it. */
interface ModelClient {
  /** The packages that it is in: the project must name all of them. */
  readonly packages: readonly string[];
  /** The variable that has its key. */
  readonly key: string;
  readonly imports: string;
  /** Statements that make `text` of `question`. */
  readonly ask: string;
}

const system = 'Answer customers of a web shop in one sentence. Refunds take five days.';

/** Clients in order of preference: of several, the first is used. Sources: the README of each, November 2026. */
export const modelClients: readonly ModelClient[] = [
  {
    packages: ['openai'],
    key: 'OPENAI_API_KEY',
    imports: "import OpenAI from 'openai';",
    ask: `const { output_text: text } = await new OpenAI().responses.create({
    model: 'gpt-5-mini',
    instructions,
    input: question,
  });`,
  },
  {
    packages: ['@anthropic-ai/sdk'],
    key: 'ANTHROPIC_API_KEY',
    imports: "import Anthropic from '@anthropic-ai/sdk';",
    ask: `const { content } = await new Anthropic().messages.create({
    model: 'claude-haiku-4-5',
    max_tokens: 200,
    system: instructions,
    messages: [{ role: 'user', content: question }],
  });
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');`,
  },
  {
    packages: ['@google/genai'],
    key: 'GEMINI_API_KEY',
    imports: "import { GoogleGenAI } from '@google/genai';",
    ask: `const { text = '' } = await new GoogleGenAI({}).models.generateContent({
    model: 'gemini-2.5-flash',
    contents: question,
    config: { systemInstruction: instructions },
  });`,
  },
  {
    packages: ['@ai-sdk/openai', 'ai'],
    key: 'OPENAI_API_KEY',
    imports: "import { openai } from '@ai-sdk/openai';\nimport { generateText } from 'ai';",
    ask: `const { text } = await generateText({
    model: openai('gpt-5-mini'),
    system: instructions,
    prompt: question,
  });`,
  },
  {
    packages: ['@ai-sdk/anthropic', 'ai'],
    key: 'ANTHROPIC_API_KEY',
    imports: "import { anthropic } from '@ai-sdk/anthropic';\nimport { generateText } from 'ai';",
    ask: `const { text } = await generateText({
    model: anthropic('claude-haiku-4-5'),
    system: instructions,
    prompt: question,
  });`,
  },
  {
    packages: ['@ai-sdk/google', 'ai'],
    key: 'GOOGLE_GENERATIVE_AI_API_KEY',
    imports: "import { google } from '@ai-sdk/google';\nimport { generateText } from 'ai';",
    ask: `const { text } = await generateText({
    model: google('gemini-2.5-flash'),
    system: instructions,
    prompt: question,
  });`,
  },
];

/** The eval file to begin with: it runs at once, with a key of the client and without. */
export function firstEval(client: ModelClient | undefined): string {
  const head = ["import { evaluation } from 'assay';", "import { contains } from 'assay/graders';"];
  return [
    ...head,
    ...(client === undefined ? [] : [client.imports]),
    '',
    ...(client === undefined ? [ownFunction] : [askingFunction(client)]),
    cases,
  ].join('\n');
}

const canned = `const canned: Readonly<Record<string, string>> = {
  'How long does a refund take?': 'Refunds take five days.',
  'Do you ship to Japan?': 'Let me look that up for you.',
};
`;

const ownFunction = `${canned}
// Put the function that you want to test in its place.
async function answer(question: string): Promise<string> {
  return canned[question] ?? 'I do not know.';
}
`;

function askingFunction({ key, ask }: ModelClient): string {
  return `${canned}
const instructions = '${system}';

// Put the function that you want to test in its place.
async function answer(question: string): Promise<string> {
  // Without a key, the example runs with canned answers.
  if (process.env.${key} === undefined) return canned[question] ?? 'I do not know.';
  ${ask}
  return text;
}
`;
}

const cases = `export const support = evaluation({
  cases: [
    { id: 'refund', input: 'How long does a refund take?', reference: 'five days' },
    { id: 'shipping', input: 'Do you ship to Japan?', reference: 'Japan' },
  ],
  target: ({ input }) => answer(input),
  evaluators: [contains({ ignoreCase: true })],
});
`;
