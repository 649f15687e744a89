/** How the models of a vendor are asked with a client. */
export interface Vendor {
  /** The name of the function that asks. */
  readonly name: string;
  /** What ids of its providers begin with. */
  readonly ids: RegExp;
  /** The packages of the client: of several vendors for an id, the one whose packages the project has is taken. */
  readonly packages: readonly string[];
  readonly imports: readonly string[];
  /** The function: `(model: Model, messages: Message[]) => Promise<string>`. */
  readonly text: string;
  /** Settings that it takes, by their names in configurations, and their names in the file. */
  readonly settings: Readonly<Record<string, string>>;
  /** What promptfoo sets if the configuration does not. */
  readonly defaults: (model: string) => Readonly<Record<string, number>>;
}

const openaiChat =
  /^openai:(?:chat:)?(?!(?:responses|completion|embeddings?|image|moderation|realtime|assistant|audio|transcription|video|codex|agents?|chatkit|speech|tts):)/;
const anthropicMessages =
  /^anthropic:(?:messages:)?(?!(?:completion|claude-agent-sdk|claude-code|agent):?)/;
const gemini = /^google:(?!(?:live|image|video|embedding):?)/;

const common = { temperature: 'temperature', top_p: 'topP' } as const;
const openaiSettings = {
  ...common,
  max_tokens: 'maxTokens',
  seed: 'seed',
  apiBaseUrl: 'baseURL',
} as const;

/** promptfoo sends neither to models that reason. */
const reasons = /^(o\d|gpt-[5-9]|ft:(o\d|gpt-[5-9]))/;
const openaiDefaults = (model: string): Readonly<Record<string, number>> =>
  reasons.test(model) ? {} : { temperature: 0, max_tokens: 1024 };

/** `system` messages apart from the others, for clients that want them so. */
const apart = `  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content);`;

/** In order of preference. Sources: the README of each client, November 2026. */
export const vendors: readonly Vendor[] = [
  {
    name: 'openai',
    ids: openaiChat,
    packages: ['openai'],
    imports: ["import OpenAI from 'openai';"],
    text: `async function openai(model: Model, messages: Message[]): Promise<string> {
  const { choices } = await new OpenAI(<baseURL>).chat.completions.create({
    model: model.id,
    messages,
<settings>
  });
  return choices[0]?.message.content ?? '';
}
`,
    settings: openaiSettings,
    defaults: openaiDefaults,
  },
  {
    name: 'openaiSdk',
    ids: openaiChat,
    packages: ['@ai-sdk/openai', 'ai'],
    imports: ["import { openai } from '@ai-sdk/openai';", "import { generateText } from 'ai';"],
    text: sdkText('openaiSdk', 'openai.chat'),
    settings: { ...common, max_tokens: 'maxTokens', seed: 'seed' },
    defaults: openaiDefaults,
  },
  {
    name: 'anthropic',
    ids: anthropicMessages,
    packages: ['@anthropic-ai/sdk'],
    imports: ["import Anthropic from '@anthropic-ai/sdk';"],
    text: `async function anthropic(model: Model, messages: Message[]): Promise<string> {
${apart}
  const { content } = await new Anthropic(<baseURL>).messages.create({
    model: model.id,
    ...(system.length > 0 && { system: system.join('\\n\\n') }),
    messages: messages.flatMap(({ role, content }) =>
      role === 'system' ? [] : [{ role, content }],
    ),
<settings>
  });
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
`,
    // Its client knows no temperature.
    settings: { max_tokens: 'maxTokens', apiBaseUrl: 'baseURL' },
    defaults: () => ({ max_tokens: 1024 }),
  },
  {
    name: 'anthropicSdk',
    ids: anthropicMessages,
    packages: ['@ai-sdk/anthropic', 'ai'],
    imports: [
      "import { anthropic } from '@ai-sdk/anthropic';",
      "import { generateText } from 'ai';",
    ],
    text: sdkText('anthropicSdk', 'anthropic'),
    settings: { ...common, max_tokens: 'maxTokens' },
    defaults: () => ({ temperature: 0, max_tokens: 1024 }),
  },
  {
    name: 'google',
    ids: gemini,
    packages: ['@google/genai'],
    imports: ["import { GoogleGenAI } from '@google/genai';"],
    text: `async function google(model: Model, messages: Message[]): Promise<string> {
${apart}
  const { text = '' } = await new GoogleGenAI({}).models.generateContent({
    model: model.id,
    contents: messages.flatMap(({ role, content }) =>
      role === 'system'
        ? []
        : [{ role: role === 'user' ? 'user' : 'model', parts: [{ text: content }] }],
    ),
    config: {
      ...(system.length > 0 && { systemInstruction: system.join('\\n\\n') }),
<settings>
    },
  });
  return text;
}
`,
    settings: { ...common, maxOutputTokens: 'maxTokens' },
    defaults: () => ({}),
  },
  {
    name: 'googleSdk',
    ids: gemini,
    packages: ['@ai-sdk/google', 'ai'],
    imports: ["import { google } from '@ai-sdk/google';", "import { generateText } from 'ai';"],
    text: sdkText('googleSdk', 'google'),
    settings: { ...common, maxOutputTokens: 'maxTokens' },
    defaults: () => ({}),
  },
  {
    name: 'echo',
    ids: /^echo$/,
    packages: [],
    imports: [],
    text: `async function echo(_model: Model, messages: Message[]): Promise<string> {
  return messages.map(({ content }) => content).join('\\n');
}
`,
    settings: {},
    defaults: () => ({}),
  },
];

function sdkText(name: string, model: string): string {
  return `async function ${name}(model: Model, messages: Message[]): Promise<string> {
  const { text } = await generateText({
    model: ${model}(model.id),
    messages,
<settings>
  });
  return text;
}
`;
}

/** Names of settings in the calls of clients, by their names in the file. */
export const callNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  openai: { maxTokens: 'max_tokens', topP: 'top_p' },
  anthropic: { maxTokens: 'max_tokens', topP: 'top_p' },
  google: { maxTokens: 'maxOutputTokens' },
  openaiSdk: { maxTokens: 'maxOutputTokens' },
  anthropicSdk: { maxTokens: 'maxOutputTokens' },
  googleSdk: { maxTokens: 'maxOutputTokens' },
};
