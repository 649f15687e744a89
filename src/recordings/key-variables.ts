import { entriesIn, folderOfFile, writePlain } from './recording-files.js';

/** Variables in which clients of models look for their keys. Sources: the documentation of each client, November 2026. */
const keyVariables: ReadonlySet<string> = new Set([
  ...['AI_GATEWAY_API_KEY', 'ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'AWS_ACCESS_KEY_ID'],
  ...['AWS_BEARER_TOKEN_BEDROCK', 'AWS_SECRET_ACCESS_KEY', 'AZURE_API_KEY'],
  ...['AZURE_OPENAI_API_KEY', 'CEREBRAS_API_KEY', 'COHERE_API_KEY', 'CO_API_KEY'],
  ...['DEEPINFRA_API_KEY', 'DEEPSEEK_API_KEY', 'FIREWORKS_API_KEY', 'GEMINI_API_KEY'],
  ...['GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GROQ_API_KEY', 'HF_TOKEN'],
  ...['HUGGINGFACE_API_KEY', 'JINA_API_KEY', 'MISTRAL_API_KEY', 'OPENAI_API_KEY'],
  ...['OPENROUTER_API_KEY', 'PERPLEXITY_API_KEY', 'REPLICATE_API_TOKEN', 'TOGETHER_API_KEY'],
  ...['TOGETHER_AI_API_KEY', 'VOYAGE_API_KEY', 'XAI_API_KEY'],
]);

/** The value of a key that nobody needs. */
export const noKey = 'offline';

const note = `This variable was set when calls were recorded. --offline sets it to "${noKey}" where it is missing.\n`;

type Environment = Record<string, string | undefined>;

/** Notes which keys are set, beside the recordings of an eval file. Throws the error of the file system, or one for links. */
export function noteKeys(folder: string, file: string, env: Environment): void {
  const noted = new Set(notedKeys(folder, file));
  for (const name of keyVariables) {
    if (!env[name] || env[name] === noKey || noted.has(name)) continue;
    writePlain(folder, `${folderOfFile(file, 'keys')}/${name}`, note);
  }
}

/** The keys that were set when the calls of an eval file were recorded; none if that cannot be read. */
export function notedKeys(folder: string, file: string): string[] {
  try {
    const entries = entriesIn(folder, folderOfFile(file, 'keys'));
    return entries.map(({ name }) => name).filter((name) => keyVariables.has(name));
  } catch {
    return [];
  }
}

/** Sets the noted keys of eval files where they are missing, for clients that do not start without. */
export function setNotedKeys(folder: string, files: readonly string[], env: Environment): void {
  for (const name of files.flatMap((file) => notedKeys(folder, file))) env[name] ||= noKey;
}
