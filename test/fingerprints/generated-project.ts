import { editImports } from './import-edits.js';

/** A project whose modules are lists of statements, by file name. */
export type GeneratedProject = Map<string, string[]>;

type Random = () => number;

interface Export {
  readonly file: string;
  readonly name: string;
  /** How it is used with `x`: `name(x)`. */
  readonly use: (name: string) => string;
  /** It has a property `v` that can be changed. */
  readonly isState: boolean;
  /** It is exported by name from an ES module. */
  readonly isNamed: boolean;
}

const call = (name: string) => `${name}(x)`;
const value = (name: string) => `${name}.v`;

/** Makes 40 modules that use each other in as many ways as JavaScript has, and three eval files. */
export function generateProject(random: Random): GeneratedProject {
  return new Generator(random).make();
}

class Generator {
  readonly #random: Random;
  readonly #files: GeneratedProject = new Map();
  readonly #exports: Export[] = [];
  /** Half of the projects change nothing while they are imported. */
  readonly #isQuiet: boolean;

  constructor(random: Random) {
    this.#random = random;
    this.#isQuiet = random() < 0.5;
  }

  make(): GeneratedProject {
    for (let i = 0; i < 2; i++) this.#addData(`data${i}.json`, `data${i}`);
    this.#addPackage('pkg-a');
    this.#addPackage('zod');
    for (let i = 0; i < 3; i++) this.#addCommonJs(i);
    for (let i = 0; i < 24; i++) {
      this.#addModule(i);
      if (i % 5 === 4) this.#addBarrel(i);
    }
    this.#addCircle();
    for (let i = 0; i < 3; i++) this.#addEvalFile(i);
    return this.#files;
  }

  #number(): number {
    return 2 + Math.floor(this.#random() * 96);
  }

  #addData(file: string, name: string): void {
    this.#files.set(file, [`{ "v": ${this.#number()}, "w": ${this.#number()} }`]);
    this.#exports.push({ file, name, use: value, isState: true, isNamed: false });
  }

  #addPackage(file: string): void {
    const name = file === 'zod' ? 'zod' : 'pkgA';
    const state = file === 'zod' ? '0' : '(n += 1)';
    this.#files.set(file, [
      'let n = 0;',
      `export function ${name}(x) { return (x * ${this.#number()} + ${state}) % 9973; }`,
    ]);
    this.#exports.push({ file, name, use: call, isState: false, isNamed: true });
  }

  #addCommonJs(i: number): void {
    const file = `common${i}.cjs`;
    const name = `common${i}`;
    const lines = [`const state = { v: ${this.#number()} };`];
    if (i > 0) lines.push(`const { common${i - 1} } = require('./common${i - 1}.cjs');`);
    const inner = i > 0 ? `common${i - 1}(x)` : 'x';
    const body = `(x) => (${inner} + ${i === 1 ? '(state.v += 1)' : 'state.v'} + ${this.#number()}) % 9973`;
    if (i === 2)
      lines.push(
        `const ${name} = ${body};`,
        `module.exports = { ${name}, rest: ${this.#number()} };`,
      );
    else lines.push(`exports.${name} = ${body};`, `exports.rest = ${this.#number()};`);
    this.#files.set(file, lines);
    this.#exports.push({ file, name, use: call, isState: false, isNamed: true });
  }

  #addModule(i: number): void {
    const scope = new Scope(this.#exports, this.#random, `lib${i}`);
    const lines: string[] = [];
    const own: Export[] = [];
    const add = (name: string, use: Export['use'], isState = false) => {
      const one = { file: `lib${i}.js`, name, use, isState, isNamed: true };
      own.push(one);
      scope.own.push(one);
    };
    const global = () =>
      this.#isQuiet || this.#random() < 0.7 ? '' : ' + (globalThis.shared ?? 0)';
    for (let j = 0; j < 4; j++) {
      const name = `lib${i}_${j}`;
      const k = this.#number();
      const isInert = this.#isQuiet && i % 4 > 0;
      const kind = isInert ? this.#inertKind() : Math.floor(this.#random() * 17);
      if (kind === 0) {
        lines.push(`export const ${name} = ${k};`);
        add(name, (it) => it);
      } else if (kind === 1) {
        lines.push(`export const ${name} = { v: ${k} };`);
        add(name, value, true);
      } else if (kind === 2) {
        lines.push(`export function ${name}(x) { ${scope.state()}.v += x + ${k}; return x; }`);
        add(name, call);
      } else if (kind === 3) {
        lines.push(`export function ${name}(x) { return (${scope.state()}.v * ${k} + x) % 9973; }`);
        add(name, call);
      } else if (kind === 4) {
        lines.push(`const ${name}_memo = new Map();`);
        lines.push(
          `export function ${name}(x) { if (!${name}_memo.has(x)) ${name}_memo.set(x, ${scope.use()} + ${k}); return ${name}_memo.get(x) + ${name}_memo.size; }`,
        );
        add(name, call);
      } else if (kind === 5) {
        lines.push(
          `export class ${name} { constructor(x) { this.x = x + ${k}; } get() { const x = this.x; return (${scope.use()}) % 9973; } }`,
        );
        add(name, (it) => `new ${it}(x).get()`);
      } else if (kind === 6) {
        lines.push(
          `export class ${name} { static n = ${k}; static hit(x) { return (${name}.n += x) % 9973; } }`,
        );
        add(name, (it) => `${it}.hit(x)`);
      } else if (kind === 7) {
        lines.push(`function ${name}_make(k) { return (x) => (${scope.use()} + k) % 9973; }`);
        lines.push(`export const ${name} = ${name}_make(${k});`);
        add(name, call);
      } else if (kind === 8 && !this.#isQuiet) {
        lines.push(`export const ${name} = [${k}, 3].map((x) => (${scope.use()}) % 9973);`);
        add(name, (it) => `${it}[0]`);
      } else if (kind === 9) {
        lines.push(`const ${name}_alias = ${scope.state()};`);
        lines.push(
          `export function ${name}(x) { ${name}_alias.v += ${k}; return ${name}_alias.v + x; }`,
        );
        add(name, call);
      } else if (kind === 10 && !this.#isQuiet) {
        lines.push(`${scope.state()}.v += ${k};`);
      } else if (kind === 11) {
        lines.push(
          `export async function ${name}(x) { const it = await import('./lib${Math.max(0, i - 1)}.js'); return Object.keys(it).length + ${k} + x; }`,
        );
        add(name, (it) => `(await ${it}(x))`);
        own.pop();
        scope.own.pop();
        this.#exports.push({
          file: `lib${i}.js`,
          name,
          use: (it) => `asyncly(${it}, x)`,
          isState: false,
          isNamed: true,
        });
        lines.push(`export const ${name}_keep = ${k};`);
      } else if (kind === 12) {
        lines.push(
          `export let ${name} = ${k};`,
          `export function ${name}_set(x) { ${name} += x; return ${name} % 9973; }`,
        );
        add(name, (it) => it);
        add(`${name}_set`, call);
      } else if (kind === 13 && !this.#isQuiet) {
        lines.push(`globalThis.shared = (globalThis.shared ?? 0) + ${k};`);
        lines.push(`export function ${name}(x) { return globalThis.shared + x; }`);
        add(name, call);
      } else if (kind === 14) {
        lines.push(`export const ${name} = { low: { v: ${k} }, high: { v: ${this.#number()} } };`);
        add(name, (it) => `${it}.low.v`);
      } else {
        lines.push(
          `export function ${name}(x) { return (${scope.use()} + ${scope.use()} * ${k}${global()}) % 9973; }`,
        );
        add(name, call);
      }
    }
    if (i % 3 > 0) {
      lines.push(
        `export default function lib${i}_main(x) { return (x * ${this.#number()}) % 9973; }`,
      );
    }
    this.#files.set(`lib${i}.js`, [...scope.imports(), ...lines]);
    this.#exports.push(...own.filter(({ use }) => !use('f').includes('await')));
  }

  /** Of declarations that do nothing when their module runs. */
  #inertKind(): number {
    return [0, 5, 16][Math.floor(this.#random() * 3)] as number;
  }

  #addBarrel(i: number): void {
    const file = `barrel${i}.js`;
    const from = [`lib${i}.js`, `lib${i - 1}.js`];
    const renamed = this.#exports.find((one) => one.file === `lib${i - 2}.js` && one.isNamed);
    const lines = from.map((one) => `export * from './${one}';`);
    if (renamed) {
      lines.push(`export { ${renamed.name} as ${renamed.name}_again } from './${renamed.file}';`);
      this.#exports.push({ ...renamed, file, name: `${renamed.name}_again` });
    }
    this.#files.set(file, lines);
    for (const one of [...this.#exports])
      if (from.includes(one.file)) this.#exports.push({ ...one, file });
  }

  #addCircle(): void {
    this.#files.set('even.js', [
      "import { odd } from './odd.js';",
      `export function even(x) { return x <= 0 ? ${this.#number()} : odd(Math.min(x, 9) - 1); }`,
    ]);
    this.#files.set('odd.js', [
      "import { even } from './even.js';",
      `export function odd(x) { return x <= 0 ? ${this.#number()} : even(x - 1); }`,
    ]);
    this.#exports.push({ file: 'even.js', name: 'even', use: call, isState: false, isNamed: true });
  }

  /** An eval file with few names, so that targets and graders may have none in common. */
  #addInertEvalFile(i: number, scope: Scope): void {
    const cases = () => `[{ id: 'p', input: ${this.#number()} }, { id: 'q', input: 3 }]`;
    const target = () => `(ctx) => { const x = ctx.input; return (${scope.use()}) % 9973; }`;
    const grader = () => `({ output: x }) => (${scope.use()} + ${this.#number()}) % 9973`;
    const lines = [
      `function helper${i}(x) { return (${scope.use()} + ${this.#number()}) % 9973; }`,
      `function grade${i}(x) { return (x + ${this.#number()}) % 9973; }`,
      `const support = evaluation.extend({ metadata: { k: ${this.#number()} }, evaluators: [${grader()}] });`,
      `export const plain = evaluation({ cases: ${cases()}, target: ${target()}, evaluators: [${grader()}] }, (ctx) => { ctx.score(grade${i}(ctx.output)); });`,
      `export const second = evaluation({ cases: ${cases()}, target: (ctx) => helper${i}(ctx.input), evaluators: [({ output: x }) => grade${i}(x) % ${this.#number()}] });`,
      `export const extended = support({ cases: ${cases()}, target: ${target()} });`,
      `export const own = evaluation({ cases: ${cases()}, target: (ctx) => ctx.input + ${this.#number()}, evaluators: [${grader()}] });`,
    ];
    this.#files.set(`e${i}.eval.js`, [
      "import { evaluation } from 'assay';",
      ...scope.imports(),
      ...lines,
    ]);
  }

  #addEvalFile(i: number): void {
    const scope = new Scope(this.#exports, this.#random, `eval${i}`);
    const target = () =>
      `(ctx) => { const x = ctx.input; return (${scope.use()} + ${scope.use()}) % 9973; }`;
    const grader = () => `({ output: x }) => (${scope.use()} + ${this.#number()}) % 9973`;
    const cases = () =>
      `[{ id: 'p', input: ${this.#number()} }, { id: 'q', input: ${this.#number()} }]`;
    const body = () => `(ctx) => { const x = ctx.output; ctx.score((${scope.use()}) % 9973); }`;
    // Half of the eval files of quiet projects are inert, too.
    const isInert = this.#isQuiet && i !== 1;
    const own = this.#exports.filter(({ isNamed, file }) => isNamed && /^lib\d+\.js$/.test(file));
    if (isInert) {
      this.#addInertEvalFile(i, new Scope(own, this.#random, `eval${i}`));
      return;
    }
    const lines = [
      `const local${i} = { v: ${this.#number()} };`,
      `function helper${i}(x) { return (${scope.use()} + ${this.#number()}) % 9973; }`,
      `function count${i}(x) { local${i}.v += x; return local${i}.v; }`,
      `const support = evaluation.extend({ metadata: { k: ${this.#number()} }, evaluators: [${grader()}] });`,
      `function desk(target, grade, k) { return evaluation({ cases: ${cases()}, metadata: { k }, target, evaluators: [grade] }); }`,
      `const listed = ${cases()};`,
      `const rest = { evaluators: [${grader()}] };`,
      `function made(k) { return [{ id: 'm', input: k + ${this.#number()} }]; }`,
    ];
    const add = (name: string, text: string) => lines.push(`export const ${name} = ${text};`);
    const state = this.#random() < 0.5 ? `count${i}(ctx.input)` : `local${i}.v`;
    add(
      'plain',
      `evaluation({ cases: ${cases()}, target: ${target()}, evaluators: [${grader()}, ${grader()}] }, ${body()})`,
    );
    add('second', `evaluation({ cases: ${cases()}, target: ${target()} }, ${body()})`);
    add('extended', `support({ cases: ${cases()}, target: ${target()} })`);
    add('inDesk', `desk(${target()}, ${grader()}, ${this.#number()})`);
    add('atDesk', `desk(${target()}, ({ output: x }) => helper${i}(x), ${this.#number()})`);
    add(
      'sharing',
      `evaluation({ cases: ${cases()}, target: (ctx) => ${state} + ctx.input, evaluators: [({ output: x }) => x + local${i}.v] })`,
    );
    add('spread', `evaluation({ cases: ${cases()}, target: ${target()}, ...rest })`);
    add(
      'fromList',
      `evaluation({ cases: listed, target: ${target()}, evaluators: [${grader()}] })`,
    );
    add(
      'computed',
      `evaluation({ cases: made(${this.#number()}), target: ${target()}, evaluators: [${grader()}] })`,
    );
    add(
      'several',
      `[evaluation({ name: 'a', cases: ${cases()}, target: ${target()}, evaluators: [${grader()}] }), desk(${target()}, ${grader()}, 1)]`,
    );
    this.#files.set(`e${i}.eval.js`, [
      "import { evaluation } from 'assay';",
      ...scope.imports(),
      ...lines,
    ]);
  }
}

/** Chooses what a module uses of others, and imports it. */
class Scope {
  readonly own: Export[] = [];
  readonly #all: readonly Export[];
  readonly #random: Random;
  readonly #prefix: string;
  readonly #imports = new Map<string, string>();

  constructor(all: readonly Export[], random: Random, prefix: string) {
    this.#all = [...all];
    this.#random = random;
    this.#prefix = prefix;
  }

  /** An expression of `x` that uses something. */
  use(): string {
    const one = this.#choose(
      [...this.#all, ...this.own, ...this.own].filter((it) => !it.use('f').includes('asyncly')),
    );
    return one === undefined ? 'x' : one.use(this.#nameOf(one));
  }

  /** Something with a property `v`. */
  state(): string {
    const one = this.#choose([...this.#all, ...this.own].filter(({ isState }) => isState));
    return one === undefined ? '({ v: 1 })' : this.#nameOf(one);
  }

  imports(): string[] {
    return [...this.#imports.keys()];
  }

  #choose(from: readonly Export[]): Export | undefined {
    return from[Math.floor(this.#random() * from.length)];
  }

  #nameOf(one: Export): string {
    if (this.own.includes(one)) return one.name;
    const from = /\.(?:c?js|json)$/.test(one.file) ? `./${one.file}` : one.file;
    const isWhole = this.#random() < 0.3 && one.isNamed && one.file.endsWith('.js');
    const stem = `${this.#prefix}_${one.file.replace(/\W/g, '_')}`;
    if (isWhole) {
      this.#imports.set(`import * as ${stem} from '${from}';`, '');
      return `${stem}.${one.name}`;
    }
    const local = `${stem}_${one.name}`;
    this.#imports.set(
      one.isNamed
        ? `import { ${one.name} as ${local} } from '${from}';`
        : `import ${local} from '${from}' with { type: 'json' };`,
      '',
    );
    return local;
  }
}

/** Edits one file of a project, as people do, and returns what it did. */
export function editProject(project: GeneratedProject, random: Random): string {
  if (random() < 0.3) return editImports(project, random);
  const isOfEval = random() < 0.4;
  const files = [...project.keys()].filter((name) => !isOfEval || name.includes('.eval.'));
  const file = files[Math.floor(random() * files.length)] as string;
  const lines = [...(project.get(file) ?? [])];
  const at = Math.floor(random() * lines.length);
  const kind = random();
  let what = 'a number';
  if (kind < 0.62 || file.endsWith('.json')) changeNumber(lines, at, random);
  else if (kind < 0.72) {
    what = 'a comment';
    lines.splice(at, 0, `// ${Math.floor(random() * 1000)}`);
  } else if (kind < 0.82) {
    what = 'an unused function';
    lines.push(
      `function unused${Math.floor(random() * 1e6)}(x) { return x + ${Math.floor(random() * 9)}; }`,
    );
  } else if (kind < 0.88) {
    what = 'formatting';
    lines[at] = (lines[at] ?? '').replaceAll('{ ', '{\n    ');
  } else if (kind < 0.91) {
    what = 'imports that change places';
    swapImports(lines);
  } else if (kind < 0.93) {
    what = 'another property';
    const line = lines.findIndex((text) => /\.(?:low|high)\b/.test(text));
    if (line >= 0) lines[line] = otherProperties(lines[line] ?? '');
  } else if (kind < 0.95) {
    what = 'an unused import';
    if (!file.endsWith('.cjs')) lines.unshift("import './even.js';");
  } else {
    what = 'an effect';
    lines.push(`globalThis.shared = (globalThis.shared ?? 0) + ${Math.floor(random() * 99)};`);
  }
  project.set(file, lines);
  return `${what} in ${file}`;
}

/** Two imports from other modules exchange their local names. */
function swapImports(lines: string[]): void {
  const of = (line: string) => / as (\w+) \}/.exec(line)?.[1];
  const [first, second] = lines.filter((line) => line.startsWith('import {') && of(line));
  if (first === undefined || second === undefined) return;
  const names = [of(first) as string, of(second) as string] as const;
  lines[lines.indexOf(first)] = first.replace(`as ${names[0]} `, `as ${names[1]} `);
  lines[lines.indexOf(second)] = second.replace(`as ${names[1]} `, `as ${names[0]} `);
}

function otherProperties(text: string): string {
  return text.replace(/\.(low|high)\b/g, (_, name) => (name === 'low' ? '.high' : '.low'));
}

function changeNumber(lines: string[], from: number, random: Random): void {
  for (let i = 0; i < lines.length; i++) {
    const at = (from + i) % lines.length;
    const numbers = [...(lines[at] ?? '').matchAll(/(?<=[ (:])\d+(?=[;, )\]}])/g)];
    const one = numbers[Math.floor(random() * numbers.length)];
    if (one === undefined) continue;
    const text = lines[at] ?? '';
    const changed = Number(one[0]) + 1 + Math.floor(random() * 5);
    lines[at] = text.slice(0, one.index) + changed + text.slice(one.index + one[0].length);
    return;
  }
}
