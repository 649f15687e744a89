import type { GeneratedProject } from './generated-project.js';

type Random = () => number;

/** An edit of one file; `undefined` if there is nothing in it that could be edited so. */
type Edit = (lines: string[], project: GeneratedProject, random: Random) => string[] | undefined;

const named = /^import \{ (\w+) as (\w+) \} from '\.\/(\w+\.js)';$/;

/** Edits of imports and exports, by what they do. */
const edits: Readonly<Record<string, Edit>> = {
  'another name': (lines, project, random) =>
    edited(lines, random, named, (_, name = '', local, file = '') => {
      const other = pick(exportsOf(project, file), random);
      return other === undefined || other === name
        ? undefined
        : `import { ${other} as ${local} } from './${file}';`;
    }),
  'another module': (lines, project, random) =>
    edited(lines, random, named, (_, name = '', local, file = '') => {
      const passing = [...project].filter(
        ([barrel, text]) =>
          barrel.startsWith('barrel') && text.includes(`export * from './${file}';`),
      );
      const other = pick(passing, random)?.[0];
      return other && `import { ${name} as ${local} } from './${other}';`;
    }),
  'the default instead of a name': (lines, project, random) =>
    edited(lines, random, named, (_, _name, local, file = '') =>
      project.get(file)?.some((line) => line.startsWith('export default'))
        ? `import ${local} from './${file}';`
        : undefined,
    ),
  'a name instead of the default': (lines, project, random) =>
    edited(lines, random, /^import (\w+) from '\.\/(lib\d+\.js)';$/, (_, local, file = '') => {
      const other = pick(exportsOf(project, file), random);
      return other && `import { ${other} as ${local} } from './${file}';`;
    }),
  'a namespace instead of a name': (lines, _, random) =>
    edited(
      lines,
      random,
      named,
      (_all, name, local, file) =>
        `import * as ${local}_all from './${file}'; const ${local} = ${local}_all.${name};`,
    ),
  'another name that a barrel passes on': (lines, project, random) =>
    edited(
      lines,
      random,
      /^export \{ (\w+) as (\w+) \} from '\.\/(.+)';$/,
      (_, name, as, file = '') => {
        const other = pick(exportsOf(project, file), random);
        return other === undefined || other === name
          ? undefined
          : `export { ${other} as ${as} } from './${file}';`;
      },
    ),
  'an export that hides one of another module': (lines, project, random) => {
    const [, file] = lines.flatMap((line) => /^export \* from '\.\/(.+)';$/.exec(line) ?? []);
    const hidden = file && pick(exportsOf(project, file), random);
    const isThere = lines.some((line) => line.startsWith(`export const ${hidden} `));
    if (!hidden || isThere) return undefined;
    return [...lines, `export const ${hidden} = (x) => x + ${Math.floor(random() * 99)};`];
  },
  'one more export *': (lines, _, random) =>
    lines.some((line) => line.startsWith('export *'))
      ? [...lines, `export * from './lib${Math.floor(random() * 24)}.js';`]
      : undefined,
  'an import for its effects': (lines, _, random) =>
    lines.some((line) => /^(?:import|export)/.test(line))
      ? [`import './lib${Math.floor(random() * 24)}.js';`, ...lines]
      : undefined,
  'the order of imports': (lines) => {
    const imports = lines.filter((line) => line.startsWith('import '));
    if (imports.length < 2) return undefined;
    return [...imports.reverse(), ...lines.filter((line) => !line.startsWith('import '))];
  },
  'a default in require()': (lines, _, random) =>
    edited(
      lines,
      random,
      /^const \{ (common\d) \} = require\((.+)\);$/,
      (_all, name, from) =>
        `const { missing${Math.floor(random() * 9)} = (x) => x + ${Math.floor(random() * 9)}, ...${name} } = require(${from});`,
    ),
  'another key of require()': (lines, _, random) =>
    edited(
      lines,
      random,
      /^const \{ (common\d) \} = require\((.+)\);$/,
      (_all, name, from) => `const { ${name}: { length: ${name} } } = require(${from});`,
    ),
  'a rest of require()': (lines, _, random) =>
    edited(
      lines,
      random,
      /^const \{ (common\d) \} = require\((.+)\);$/,
      (_all, name, from) =>
        `const { rest, ...all } = require(${from}); const ${name} = (x) => x + Object.keys(all).length;`,
    ),
  'the attributes of an import': (lines, _, random) =>
    edited(lines, random, /^(import .+) with \{ type: 'json' \};$/, (_all, start) => `${start};`),
  'a directive': (lines) =>
    lines.some((line) => line.includes('require(')) ? ["'use strict';", ...lines] : undefined,
};

/** Edits the imports or exports of one file, and returns what it did. */
export function editImports(project: GeneratedProject, random: Random): string {
  for (;;) {
    const what = pick(Object.keys(edits), random) as string;
    const code = [...project.keys()].filter((name) => /\.c?js$/.test(name));
    const file = pick(code, random) as string;
    const lines = edits[what]?.([...(project.get(file) ?? [])], project, random);
    if (lines === undefined) continue;
    project.set(file, lines);
    return `${what} in ${file}`;
  }
}

/** The lines with one of those that match replaced. */
function edited(
  lines: string[],
  random: Random,
  pattern: RegExp,
  by: (...match: readonly (string | undefined)[]) => string | undefined,
): string[] | undefined {
  const line = pick(
    lines.filter((one) => pattern.test(one)),
    random,
  );
  const text = line && by(...(pattern.exec(line) ?? []));
  return text && line ? lines.with(lines.indexOf(line), text) : undefined;
}

function exportsOf(project: GeneratedProject, file: string): string[] {
  return (project.get(file) ?? []).flatMap((line) => {
    const [, name] = /^export (?:const|let|class|(?:async )?function) (\w+)/.exec(line) ?? [];
    return name ?? [];
  });
}

function pick<One>(from: readonly One[], random: Random): One | undefined {
  return from[Math.floor(random() * from.length)];
}
