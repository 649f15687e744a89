import { createRequire } from 'node:module';
import type { ReactConfig } from '@swc/core';
import { loadCompiler } from './load-compiler.js';
import type { Project } from './tsconfig.js';

const require = createRequire(import.meta.url);

/**
 * Compiles with the slower compiler, which can also convert ES modules to CommonJS, lower decorators and use the
 * older class field semantics. Returns code and source map as JSON.
 */
export function compileWithSwc(
  file: string,
  source: string,
  project: Project,
  format: 'es6' | 'commonjs',
): { readonly code: string; readonly map: string } {
  // Loaded on first use, because most files never need it.
  const { transformSync } = loadCompiler<typeof import('@swc/core')>('@swc/core', () =>
    require('@swc/core'),
  );
  const { options } = project;
  const { code, map } = transformSync(source, {
    filename: file,
    swcrc: false,
    configFile: false,
    sourceMaps: true,
    inputSourceMap: false,
    module: { type: format, ignoreDynamic: true, exportInteropAnnotation: true } as const,
    jsc: {
      target: 'es2022',
      experimental: { keepImportAttributes: true },
      parser: { syntax: 'typescript', decorators: true, tsx: /x$/.test(file) },
      transform: {
        react: reactOptions(options),
        useDefineForClassFields: definesClassFields(project),
        verbatimModuleSyntax: options.verbatimModuleSyntax === true,
        ...(options.experimentalDecorators === true
          ? { legacyDecorator: true, decoratorMetadata: options.emitDecoratorMetadata === true }
          : { decoratorVersion: '2023-11' }),
      },
    },
  });
  return {
    code: withBoundHelper(code),
    map: map ?? '{"version":3,"sources":[],"names":[],"mappings":""}',
  };
}

/** SWC renames the declaration of this helper of `using`, but not its use. */
function withBoundHelper(code: string): string {
  return code.replace(/^var _SuppressedError\d+ = typeof/m, 'var _SuppressedError = typeof');
}

/** TypeScript's default for `useDefineForClassFields`; without a target, that of its newest target. */
export function definesClassFields({ options }: Project): boolean {
  if (options.useDefineForClassFields !== undefined) return options.useDefineForClassFields;
  return options.target === undefined || /^es(?:202[2-9]|next)$/i.test(options.target);
}

function reactOptions(options: Project['options']): ReactConfig {
  if (options.jsx !== 'react') {
    return { runtime: 'automatic', importSource: options.jsxImportSource ?? 'react' };
  }
  return {
    runtime: 'classic',
    pragma: options.jsxFactory ?? 'React.createElement',
    pragmaFrag: options.jsxFragmentFactory ?? 'React.Fragment',
  };
}
