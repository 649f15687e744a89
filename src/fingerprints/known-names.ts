const words = (text: string) => text.trim().split(/\s+/);

/** Modules of Node and of assay that grading may use: they keep no state between a target and its grading. */
export const closedModules: ReadonlySet<string> = new Set(
  words(`
  assay assay/graders assert assert/strict buffer crypto events path path/posix path/win32 punycode querystring string_decoder
  timers timers/promises url util util/types`),
);

/** Modules of Node and packages whose files no fingerprint can follow. Those that start a process are noticed then. */
const hazards =
  /(?<=['"`])(?:(?:node:)?(?:sqlite|wasi)|better-sqlite3|sqlite3)(?=['"`])|\bdlopen\b/;

/** Why nothing that loads some code may be carried over. */
export function hazardIn(code: string): string | undefined {
  const [found] = hazards.exec(code) ?? [];
  return found && `opens files that are not followed (${found})`;
}

/** Model clients, assertions, scorers and schemas: they keep no state that connects a target with its grading. */
const statelessPackages: ReadonlySet<string> = new Set(
  words(`
  assay openai @anthropic-ai/sdk @google/genai @google/generative-ai @google-cloud/vertexai ai langchain ollama
  groq-sdk @mistralai/mistralai cohere-ai together-ai replicate @aws-sdk/client-bedrock-runtime @azure/openai
  @azure-rest/ai-inference @openrouter/sdk autoevals chai expect @jest/expect @vitest/expect should zod valibot ajv
  @sinclair/typebox arktype superstruct yup fastest-levenshtein js-levenshtein leven string-similarity
  string-similarity-js sentiment vader-sentiment wink-sentiment diff deep-equal fast-deep-equal dequal js-tiktoken
  gpt-tokenizer dedent common-tags ts-dedent json5 jsonrepair tslib`),
);

/** Scopes all of whose packages are model clients. */
const statelessScopes = ['@ai-sdk/', '@langchain/'];

/** True for `name@version` of a package that keeps no state, as those that are named do not. */
export function isStatelessPackage(id: string, named: readonly string[] = []): boolean {
  const name = id.replace(/(?<=.)@.*$/, '');
  const isOfScope = statelessScopes.some((scope) => name.startsWith(scope));
  return statelessPackages.has(name) || isOfScope || named.includes(name);
}
