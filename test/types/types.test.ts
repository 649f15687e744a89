import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));
const guide = ['authoring', 'graders']
  .map((name) => readFileSync(`${root}docs/${name}.md`, 'utf8'))
  .join('\n');

// What the examples of the guide import beside assay.
const agent = `export async function supportAgent(
  request: string,
  options?: { model?: string; signal?: AbortSignal },
): Promise<string> { return request + String(options?.model); }
export const askModel = supportAgent;`;

// As a strict project of a user has them.
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: ['node', `${root}text.d.ts`],
  paths: {
    assay: [`${root}src/index.ts`],
    'assay/graders': [`${root}src/graders/index.ts`],
  },
};

/** Errors of the files under test, those in `virtual` included; one text each. */
function typeErrors(files: readonly string[], virtual: ReadonlyMap<string, string>): string[] {
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (name) => virtual.has(name) || fileExists(name);
  host.readFile = (name) => virtual.get(name) ?? readFile(name);
  host.getCurrentDirectory = () => root;
  const names = [...files, ...virtual.keys()];
  const program = ts.createProgram(names, options, host);
  // Not those of all sources that they import, which `npm run typecheck` finds.
  const found = names.flatMap((name) => [
    ...program.getSyntacticDiagnostics(program.getSourceFile(name)),
    ...program.getSemanticDiagnostics(program.getSourceFile(name)),
  ]);
  return [...program.getOptionsDiagnostics(), ...found].map((one) => {
    const line = one.file?.getLineAndCharacterOfPosition(one.start ?? 0).line ?? 0;
    const text = ts.flattenDiagnosticMessageText(one.messageText, '\n');
    return `${one.file?.fileName}:${line + 1}: ${text}`;
  });
}

function examples(): [string, string][] {
  return [...guide.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ''], index) => [
    `${root}docs/example-${index + 1}.ts`,
    code,
  ]);
}

describe('types', () => {
  it('flow through evaluations as the type tests say, and the examples of the guide compile', function () {
    this.timeout(240_000);
    const virtual = new Map([...examples(), [`${root}docs/agent.ts`, agent] as const]);
    const mistake = `${root}docs/mistake.ts`;
    virtual.set(
      mistake,
      "import { evaluation } from 'assay';\nexport default evaluation({ scorers: [] });\n",
    );
    expect(virtual.size).to.be.above(6);
    const errors = typeErrors([`${root}test/types/inference.ts`], virtual);
    // One mistake is made on purpose: it shows that errors are found.
    expect(errors).to.have.lengthOf(1, errors.join('\n'));
    expect(errors[0]).to.include(`${mistake}:2: `).and.to.include('scorers');
  });
});
