import type { GeneratedProject } from './generated-project.js';

type Random = () => number;

const libs = 24;

/**
 * A project whose functions keep nothing, so that its evaluations may share a process: modules that only declare, modules
 * with objects at their top, barrels, CommonJS and JSON, three eval files.
 */
export function plainProject(random: Random): GeneratedProject {
  const number = () => 2 + Math.floor(random() * 90);
  const below = (most: number) => Math.floor(random() * most);
  const project: GeneratedProject = new Map();
  for (let i = 0; i < libs; i++) {
    const name = `lib${i}`;
    const others = i === 0 ? [] : [below(i), below(i)];
    const top = i % 3 === 0 ? [`const table = { low: ${number()}, high: ${number()} };`] : [];
    const kept = i % 3 === 0 ? 'table.low' : String(number());
    const calls = others.map((_, at) => ` + o${at}(x)`).join('');
    project.set(`${name}.js`, [
      ...others.map((of, at) => `import { f${of} as o${at} } from './lib${of}.js';`),
      ...top,
      `const k = ${number()};`,
      `export function f${i}(x) { return (x * ${number()} + ${kept}${calls}) % 9973; }`,
      `export const g${i} = (x) => (x + k * ${number()}) % 9973;`,
      `export default function h${i}(x) { return x + ${number()}; }`,
    ]);
  }
  const [one, two] = [below(libs), below(libs)];
  project.set('barrel0.js', [
    `export * from './lib${one}.js';`,
    `export { f${two} as passed } from './lib${two}.js';`,
  ]);
  project.set('common.cjs', [`exports.common0 = (x) => x + ${number()};`, 'exports.rest = 1;']);
  project.set('user.cjs', [
    "const { common0 } = require('./common.cjs');",
    `exports.used = (x) => common0(x) + ${number()};`,
  ]);
  project.set('data.json', [`{ "low": ${number()}, "high": ${number()} }`]);
  project.set('graders.js', [
    `export function small({ output }) { return output < ${number() * 50}; }`,
    `export function odd({ output }) { return output % ${number()} > 1; }`,
  ]);
  for (let file = 0; file < 3; file++) {
    const used = [below(libs), below(libs), below(libs)];
    project.set(`e${file}.eval.js`, [
      "import { evaluation } from 'assay';",
      ...used.map((of, at) => `import { f${of} as u${at} } from './lib${of}.js';`),
      `import { g${one} as passed0 } from './barrel0.js';`,
      `import d from './lib${below(libs)}.js';`,
      "import { small as s } from './graders.js';",
      "import { odd as o } from './graders.js';",
      "import data from './data.json' with { type: 'json' };",
      "import user from './user.cjs';",
      `function own(x) { return x + ${number()}; }`,
      ...[
        'u0(input) + passed0(input)',
        'u1(own(input)) + d(input)',
        'u2(input) + data.low',
        'user.used(input) + u0(input)',
      ].map(
        (target, at) =>
          `export const e${at} = evaluation({ cases: [{ id: 'a', input: ${number()} }, { id: 'b', input: ${number()} }], target: ({ input }) => ${target}, evaluators: [${at % 2 === 0 ? 's' : 'o'}, function own${at}({ output }) { return output > ${number()}; }] });`,
      ),
    ]);
  }
  return project;
}
