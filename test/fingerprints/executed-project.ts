import { dirname, join } from 'node:path/posix';
import { build, type Plugin } from 'esbuild';
import type { GeneratedProject } from './generated-project.js';

/** What became of one case. */
export interface Row {
  /** Export, index in a list, and case. */
  readonly id: string;
  readonly exportName: string;
  readonly index: number | undefined;
  /** The values of the case. */
  readonly values: string;
  readonly output: unknown;
  readonly scores: string;
}

interface Definition {
  readonly options: Options;
  readonly body?: (ctx: Context) => unknown;
}

interface Options {
  readonly cases: readonly { readonly id: string; readonly input: unknown }[];
  readonly metadata?: object;
  readonly target: (ctx: Context) => unknown;
  readonly evaluators?: readonly ((args: { readonly output: unknown }) => unknown)[];
}

interface Context {
  readonly input: unknown;
  output: unknown;
  readonly score: (value: unknown) => void;
}

/** `evaluation` that only keeps what it was given. */
const authoring = `
function make(defaults) {
  const define = (options, body) => ({ options: { ...defaults, ...options,
    metadata: { ...defaults.metadata, ...options.metadata },
    evaluators: [...(defaults.evaluators ?? []), ...(options.evaluators ?? [])] }, body });
  return Object.assign(define, { extend: (more) => make({ ...defaults, ...more }) });
}
export const evaluation = make({});`;

/** An eval file that can be imported again and again, each time with modules of its own. */
export class ExecutableFile {
  readonly #code: string;

  private constructor(code: string) {
    this.#code = code;
  }

  static async bundle(project: GeneratedProject, file: string): Promise<ExecutableFile> {
    const { outputFiles } = await build({
      entryPoints: [`/${file}`],
      bundle: true,
      write: false,
      format: 'cjs',
      platform: 'node',
      treeShaking: false,
      logLevel: 'silent',
      plugins: [inMemory(project)],
    });
    return new ExecutableFile(outputFiles[0]?.text ?? '');
  }

  /** Runs every case, each in modules of its own. */
  async run(): Promise<Row[]> {
    const rows: Row[] = [];
    for (const { exportName, index } of this.#list()) {
      const count = this.#find(exportName, index).options.cases.length;
      for (let at = 0; at < count; at++) {
        const { options, body } = this.#find(exportName, index);
        const one = options.cases[at] as Options['cases'][number];
        const { output, scores } = await attempt(options, body, one.input);
        const values = JSON.stringify([one, options.metadata]);
        rows.push({
          id: `${exportName}${index ?? ''}[${one.id}]`,
          exportName,
          index,
          values,
          output,
          scores,
        });
      }
    }
    return rows;
  }

  /** Grades a stored output without the target. */
  async regrade(row: Row): Promise<string> {
    const { options, body } = this.#find(row.exportName, row.index);
    const one = options.cases.find(({ id }) => row.id.endsWith(`[${id}]`));
    const stored = { ...options, target: () => row.output };
    return (await attempt(stored, body, one?.input)).scores;
  }

  /** Nothing if the import fails. */
  #list(): Pick<Row, 'exportName' | 'index'>[] {
    let exports: [string, Definition | Definition[]][];
    try {
      exports = Object.entries(this.#import());
    } catch {
      return [];
    }
    return exports.flatMap(([exportName, of]): Pick<Row, 'exportName' | 'index'>[] =>
      Array.isArray(of)
        ? of.map((_, index) => ({ exportName, index }))
        : [{ exportName, index: undefined }],
    );
  }

  #find(exportName: string, index: number | undefined): Definition {
    const of = this.#import()[exportName];
    return (index === undefined ? of : (of as Definition[])[index]) as Definition;
  }

  #import(): Record<string, Definition | Definition[]> {
    const module = { exports: {} };
    // Every import has globals of its own.
    const run = new Function('module', 'exports', 'globalThis', this.#code);
    run(module, module.exports, {});
    return module.exports;
  }
}

async function attempt(options: Options, body: Definition['body'], input: unknown) {
  const scores: unknown[] = [];
  const ctx: Context = { input, output: undefined, score: (value) => scores.push(value) };
  try {
    ctx.output = await options.target(ctx);
    await body?.(ctx);
    for (const evaluator of options.evaluators ?? []) {
      scores.push(await evaluator({ output: ctx.output }));
    }
  } catch {
    scores.push('an error');
  }
  return { output: ctx.output, scores: JSON.stringify(scores) };
}

function inMemory(project: GeneratedProject): Plugin {
  return {
    name: 'in-memory',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /.*/ }, ({ path, importer }) => ({
        path: path.startsWith('.') ? join(dirname(importer), path) : `/${path.replace(/^\//, '')}`,
        namespace: 'memory',
      }));
      onLoad({ filter: /.*/, namespace: 'memory' }, ({ path }) => {
        const name = path.slice(1);
        if (name === 'assay') return { contents: authoring };
        const contents = (project.get(name) ?? []).join('\n');
        return { contents, loader: name.endsWith('.json') ? 'json' : 'js' };
      });
    },
  };
}
