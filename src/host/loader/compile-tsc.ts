import { createRequire } from 'node:module';
import type { Project } from './tsconfig.js';

/** What is used of TypeScript. */
interface TypeScript {
  readonly ModuleKind: { readonly ESNext: number; readonly Node16: number };
  readonly ScriptTarget: { readonly ES2022: number };
  convertCompilerOptionsFromJson(options: object, folder: string): { readonly options: object };
  transpileModule(
    source: string,
    options: { readonly fileName: string; readonly compilerOptions: object },
  ): { readonly outputText: string; readonly sourceMapText?: string };
}

/** A namespace with code; those that only declare are left out. */
const namespaces =
  /(?<!\bdeclare\s+)(?<![.\w$])(?:namespace|module)\s+([A-Za-z_$][\w$]*)[\w$.\s]*\{/g;

/** True if a source has several namespaces of one name: only TypeScript lets one use what another exports. */
export function mergesNamespaces(source: string): boolean {
  const names = [...source.matchAll(namespaces)].map(([, name]) => name);
  return new Set(names).size < names.length;
}

/**
 * Compiles with the TypeScript of the project; `undefined` if it has none that can do so. Returns code and source map as
 * JSON.
 */
export function compileWithTypeScript(
  file: string,
  source: string,
  { options }: Project,
  format: 'es6' | 'commonjs',
): { readonly code: string; readonly map: string } | undefined {
  const typescript = typescriptFor(file);
  if (typescript === undefined) return undefined;
  const { ModuleKind, ScriptTarget } = typescript;
  const { outputText, sourceMapText = '' } = typescript.transpileModule(source, {
    fileName: file,
    compilerOptions: {
      ...typescript.convertCompilerOptionsFromJson(options, '').options,
      // This one keeps `import()` in CommonJS.
      module: format === 'es6' ? ModuleKind.ESNext : ModuleKind.Node16,
      ...(format === 'commonjs' && { verbatimModuleSyntax: false }),
      target: ScriptTarget.ES2022,
      esModuleInterop: true,
      importHelpers: false,
      noEmitHelpers: false,
      inlineSourceMap: false,
      sourceMap: true,
    },
  });
  return { code: outputText.replace(/\n\/\/# sourceMappingURL=.*\s*$/, ''), map: sourceMapText };
}

/** Version 7 has no such functions. */
function typescriptFor(file: string): TypeScript | undefined {
  try {
    const typescript = createRequire(file)('typescript') as Partial<TypeScript>;
    return typescript.transpileModule === undefined ? undefined : (typescript as TypeScript);
  } catch {
    return undefined;
  }
}
