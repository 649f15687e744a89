/** What stands in a translated file for everything that has no translation. */
export const todoText = `/** Stands where the original has something that is not translated: an error until you write it, or remove it. */
function todo(what: string): Evaluator {
  const evaluator: Evaluator = () => {
    throw new Error(\`not translated yet: \${what}\`);
  };
  return Object.defineProperty(evaluator, 'name', { value: what });
}
`;
