import { todoText } from '../todo-text.js';

/** The functions that a translated file brings along. */
export type ScorerHelper = 'scorerOf' | 'todo';

const typed: Readonly<Record<ScorerHelper, string>> = {
  scorerOf: `/** An evaluator from a scorer of evalite: its score is a value, which neither passes nor fails. */
function scorerOf<Input, Output, Reference = Output>({
  name,
  scorer,
}: {
  name: string;
  description?: string;
  scorer: (args: EvaluatorArgs<Input, Output, Reference>) => Scored | PromiseLike<Scored>;
}): Evaluator<Input, Output, Reference> {
  return async (args) => {
    const scored = await scorer(args);
    return typeof scored === 'number' ? { key: name, value: scored } : { ...scored, name };
  };
}

type Scored = number | { score: number; metadata?: unknown };
`,
  todo: todoText,
};

const untyped: Readonly<Record<ScorerHelper, string>> = {
  scorerOf: `/** An evaluator from a scorer of evalite: its score is a value, which neither passes nor fails. */
function scorerOf({ name, scorer }) {
  return async (args) => {
    const scored = await scorer(args);
    return typeof scored === 'number' ? { key: name, value: scored } : { ...scored, name };
  };
}
`,
  todo: `/** Stands where the original has something that is not translated: an error until you write it, or remove it. */
function todo(what) {
  const evaluator = () => {
    throw new Error(\`not translated yet: \${what}\`);
  };
  return Object.defineProperty(evaluator, 'name', { value: what });
}
`,
};

export function helperText(used: ReadonlySet<ScorerHelper>, isTyped: boolean): string {
  return (['scorerOf', 'todo'] as const)
    .filter((name) => used.has(name))
    .map((name) => (isTyped ? typed : untyped)[name])
    .join('\n');
}

/** What a translated file imports of `assay`. */
export function importedNames(used: ReadonlySet<ScorerHelper>, isTyped: boolean): string[] {
  if (!isTyped || used.size === 0) return ['evaluation'];
  return ['type Evaluator', ...(used.has('scorerOf') ? ['type EvaluatorArgs'] : []), 'evaluation'];
}
