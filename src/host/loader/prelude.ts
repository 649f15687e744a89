/** ES module replacements for the variables that CommonJS defines. */
const substitutes: Readonly<Record<string, string>> = {
  require: 'const require = __assay_module.createRequire(import.meta.url);',
  __filename: 'const __filename = import.meta.filename;',
  __dirname: 'const __dirname = import.meta.dirname;',
};

/**
 * One line to put before an ES module that uses `require`, `__filename` or `__dirname` without declaring or testing
 * for them; empty if it needs none.
 */
export function preludeFor(code: string): string {
  const missing = Object.keys(substitutes).filter((name) => uses(code, name) && !knows(code, name));
  if (missing.length === 0) return '';
  const lines = missing.map((name) => substitutes[name]).join(' ');
  return `import __assay_module from 'node:module'; ${lines}\n`;
}

function uses(code: string, name: string): boolean {
  return new RegExp(`(?<![.\\w$])${name}(?![\\w$])`).test(code);
}

function knows(code: string, name: string): boolean {
  const patterns = [
    `\\b(?:const|let|var)\\b[^=;]*(?<![.\\w$])${name}\\b[^=;]*=`,
    `\\bfunction\\s+${name}\\b`,
    `\\bimport\\b[^'";]*(?<![\\w$])${name}\\b[^'";]*\\bfrom\\b`,
    `\\btypeof\\s+${name}\\b`,
  ];
  return new RegExp(patterns.join('|')).test(code);
}
