import { todoText } from '../todo-text.js';

/** Functions that a translated file brings along, because `assay/graders` has none that decides alike. */
export type HelperName = 'todo' | 'javascript' | 'json' | 'levenshtein' | 'containsJson' | 'judge';

/** Their texts, in the order in which they stand at the end of a file; the judge is a constant of the models. */
export const helperTexts: Readonly<Record<Exclude<HelperName, 'judge'>, string>> = {
  json: `/** Grades the JSON of the output; an output that is none fails. */
function json<Reference>(
  of: Evaluator<unknown, any, Reference>,
): Evaluator<unknown, string, Reference> {
  const evaluator: Evaluator<unknown, string, Reference> = (args) => {
    let output: unknown;
    try {
      output = JSON.parse(args.output);
    } catch {
      return { passed: false, notes: 'the output is no JSON' };
    }
    // JSON that is a text might be JSON once more.
    return typeof output === 'string' ? false : of({ ...args, output });
  };
  return Object.defineProperty(evaluator, 'name', { value: of.name });
}
`,
  javascript: `/** Grades by a check of promptfoo: its answer is true or false, a number above 0, or a grading result. */
function javascript(
  check: (output: any, context: { vars: any }) => unknown,
  { threshold, key = 'javascript' }: { threshold?: number; key?: string } = {},
): Evaluator<unknown, string> {
  const evaluator: Evaluator<unknown, string> = async ({ input, output }) => {
    const result: any = await check(output, { vars: input });
    if (typeof result === 'boolean') return result;
    if (typeof result === 'number') {
      return { passed: threshold === undefined ? result > 0 : result >= threshold, value: result };
    }
    if (typeof result?.pass !== 'boolean' || typeof result.score !== 'number') {
      throw new TypeError(\`\${key} has no verdict: \${result}\`);
    }
    return { passed: result.pass, value: result.score, notes: result.reason };
  };
  return Object.defineProperty(evaluator, 'name', { value: key });
}
`,
  levenshtein: `/** Passes when at most so many characters must be added, removed or replaced: 5 if nothing is given. */
function levenshtein(
  wanted: string,
  { max = 5, key = 'levenshtein' }: { max?: number; key?: string } = {},
): Evaluator<unknown, string> {
  const evaluator: Evaluator<unknown, string> = ({ output }) => {
    let row = Array.from({ length: wanted.length + 1 }, (_, at) => at);
    for (let i = 0; i < output.length; i++) {
      const next = [i + 1];
      for (let j = 0; j < wanted.length; j++) {
        const replaced = (row[j] ?? 0) + Number(output[i] !== wanted[j]);
        next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
      }
      row = next;
    }
    const distance = row[wanted.length] ?? 0;
    return { passed: distance <= max, value: distance, better: 'lower' };
  };
  return Object.defineProperty(evaluator, 'name', { value: key });
}
`,
  containsJson: `/** Passes when there is a JSON object somewhere in the output. */
function containsJson({ output }: { output: string }): boolean {
  for (let start = output.indexOf('{'); start >= 0; start = output.indexOf('{', start + 1)) {
    for (let end = output.lastIndexOf('}'); end > start; end = output.lastIndexOf('}', end - 1)) {
      try {
        JSON.parse(output.slice(start, end + 1));
        return true;
      } catch {
        // It ends elsewhere.
      }
    }
  }
  return false;
}
`,
  todo: todoText,
};

/** The types that these functions name. */
export const typesOfHelpers: Readonly<Record<HelperName, readonly string[]>> = {
  json: ['Evaluator'],
  javascript: ['Evaluator'],
  levenshtein: ['Evaluator'],
  containsJson: [],
  todo: ['Evaluator'],
  judge: [],
};
