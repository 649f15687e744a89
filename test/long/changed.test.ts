import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  editProject,
  type GeneratedProject,
  generateProject,
} from '../fingerprints/generated-project.js';
import { plainProject } from '../fingerprints/plain-project.js';
import { Project, removeProjects } from '../helpers/project.js';
import { patience, randomNumbers, seed, times } from '../helpers/rounds.js';

const packages = ['pkg-a', 'zod'];

const zone = 'time zone';

/** Parts of a project that are no modules, or are loaded in ways that the generated ones are not. */
const others = {
  '.env': 'APP_MODE=1',
  'prompt.md': 'Prompt 1',
  'cases.csv': 'id,input\na,1\nb,2\n',
  'package-lock.json':
    '{ "lockfileVersion": 3, "packages": { "node_modules/zod": { "version": "1.0.0" } } }',
  'tsconfig.json': '{ "compilerOptions": { "paths": { "chosen": ["./answer1.ts"] } } }',
  'answer1.ts': 'export const answer = "first";',
  'answer2.ts': 'export const answer = "second";',
  'types.ts': 'export interface Answer { text: string }',
  'barrel.ts': "export * from './words.js';\nexport * from './numbers.js';",
  'words.ts': "export const word = 'w1';\nexport const otherWord = 'o1';",
  'numbers.ts': 'export const two = 2;',
  'late.ts': 'export const late = 1;',
  'old.cjs': 'exports.old = () => 1;\nexports.unused = () => 1;',
  'packages/linked/package.json': '{ "name": "linked", "type": "module", "exports": "./index.js" }',
  'packages/linked/index.js': 'export const linked = 1;',
  'node_modules/patched/package.json':
    '{ "name": "patched", "version": "1.0.0", "type": "module" }',
  'node_modules/patched/index.js': "export { patched } from './below.js';",
  'node_modules/patched/below.js': 'export const patched = 1;',
  // No file, but the time zone.
  [zone]: '1',
  'graders.ts': 'export const long = ({ output }) => output.length > 1;',
  'other.eval.ts': `
    import { readFileSync } from 'node:fs';
    import { evaluation, fromCsv } from 'assay';
    import { word } from './barrel.js';
    import { answer } from 'chosen';
    import { long } from './graders.js';
    import old from './old.cjs';
    import { linked } from './packages/linked/index.js';
    import { patched } from 'patched';
    import type { Answer } from './types.js';
    export const prompted = evaluation({
      cases: fromCsv('cases.csv'),
      target: ({ input }) => readFileSync('prompt.md', 'utf8') + input,
      evaluators: [long],
    });
    export const mapped = evaluation({ target: () => answer, evaluators: [long] });
    export const worded = evaluation({ target: () => word + old.old() + linked, evaluators: [long] });
    export const surrounded = evaluation({
      target: () => [new Date(0).getHours(), patched],
      evaluators: [long],
    });
    export const typed = evaluation({
      target: (): Answer => ({ text: process.env.APP_MODE ?? '' }),
      evaluators: [function text({ output }) { return output.text.length > 0; }],
    });
    export const late = evaluation({
      target: async () => (await import('./late.js')).late,
      evaluators: [function one({ output }) { return output === 1; }],
    });`,
};

type Name = keyof typeof others;

/** Edits of these files: what is replaced, and by what with a new number. */
const edits: readonly (readonly [file: Name, what: RegExp, by: string])[] = [
  ['.env', /\d+/, '#'],
  ['prompt.md', /\d+/, '#'],
  ['cases.csv', /b,\d+/, 'b,#'],
  ['cases.csv', /$/, 'x#,#\n'],
  ['package-lock.json', /1\.0\.\d+/, '1.0.#'],
  ['tsconfig.json', /answer1/, 'answer2'],
  ['answer1.ts', /first\d*/, 'first#'],
  ['answer2.ts', /second\d*/, 'second#'],
  ['types.ts', /$/, '\nexport type More# = string;'],
  ['barrel.ts', /^/, "export const own# = '#';\n"],
  ['words.ts', /w\d+/, 'w#'],
  ['words.ts', /o\d+/, 'o#'],
  ['numbers.ts', /= \d+/, '= #'],
  ['late.ts', /= \d+/, '= #'],
  ['old.cjs', /=> \d+/, '=> #'],
  ['old.cjs', /unused = \(\) => \d+/, 'unused = () => #'],
  ['packages/linked/index.js', /= \d+/, '= #'],
  ['node_modules/patched/below.js', /\d+/, '#'],
  [zone, /\d+/, '#'],
  ['graders.ts', /> \d+/, '> #'],
  ['graders.ts', /$/, '\nexport const unused# = 1;'],
  ['other.eval.ts', /'' \}\)/, "'#' })"],
  ['other.eval.ts', /=== \d+/, '=== #'],
];

describe('assay run --changed', function () {
  this.timeout(patience);
  afterEach(removeProjects);

  it('carries and regrades only what a full run gives, too', async () => {
    const counts = { carried: 0, regraded: 0, ran: 0, needed: 0 };
    for (let i = 0; i < times(0.2); i++) {
      const random = randomNumbers(seed + i);
      const generated = generateProject(random);
      const project = new Project({ ...others, 'package.json': '{ "type": "module" }' });
      const files = new Map<string, string>(Object.entries(others));
      write(project, generated, files);
      let before = await outcomes(project, files, '--session', 'whole');
      await outcomes(project, files, '--changed');
      for (let edit = 0; edit < 6; edit++) {
        const what = random() < 0.4 ? editProject(generated, random) : editOther(files, random);
        write(project, generated, files);
        const whole = await outcomes(project, files, '--session', 'whole');
        const changed = await outcomes(project, files, '--changed');
        assert.deepEqual([...changed.keys()], [...whole.keys()], what);
        for (const [id, { origin, text }] of changed) {
          const expected = whole.get(id)?.text;
          assert.equal(text, expected, `${id} (${origin ?? 'ran'}) after ${what}, edit ${edit}`);
          counts[origin ?? 'ran']++;
          if (origin === undefined && before.get(id)?.text !== expected) counts.needed++;
        }
        before = whole;
      }
    }
    if (process.env.SHOW_COUNTS) console.error(counts);
    const { carried, regraded, ran, needed } = counts;
    assert.ok(carried > 0);
    const total = carried + regraded + ran;
    // A few edits can all be of the kind that runs more than it must.
    if (total > 1000) assert.ok((ran - needed) / total <= 0.75, JSON.stringify(counts));
  });

  it('carries and regrades only that in one process, too', async () => {
    const counts = { edits: 0, carried: 0, regraded: 0, ran: 0, needed: 0 };
    for (let i = 0; i < times(1); i++) {
      const random = randomNumbers(seed + i);
      const generated = plainProject(random);
      const project = new Project({ 'package.json': '{ "type": "module" }' });
      write(project, generated);
      let before = await ran(project, '--session', 'whole');
      await ran(project, '--changed');
      for (let edit = 0; edit < 30; ) {
        const last = new Map(generated);
        const what = editProject(generated, random);
        write(project, generated);
        const whole = await ran(project, '--session', 'whole');
        const changed = await ran(project, '--changed');
        assert.deepEqual([...changed.keys()], [...whole.keys()], what);
        // A file that cannot be imported: nothing runs.
        if (whole.size === 0) {
          for (const [name, lines] of last) generated.set(name, lines);
          continue;
        }
        for (const [id, { origin, text }] of changed) {
          const expected = whole.get(id)?.text;
          assert.equal(text, expected, `${id} (${origin ?? 'ran'}) after ${what}, edit ${edit}`);
          counts[origin ?? 'ran']++;
          if (origin === undefined && before.get(id)?.text !== expected) counts.needed++;
        }
        before = whole;
        edit += 1;
        counts.edits += 1;
      }
    }
    if (process.env.SHOW_COUNTS) console.error(counts);
    assert.ok(counts.carried > 0, JSON.stringify(counts));
    const share = (counts.ran - counts.needed) / (counts.carried + counts.regraded + counts.ran);
    assert.ok(share <= 0.6, JSON.stringify(counts));
  });
});

/** What each row came to, and where from. */
async function outcomes(
  project: Project,
  others: ReadonlyMap<string, string>,
  ...args: readonly string[]
) {
  // What one row leaves for another in its process is not noticed, so each has its own.
  // One generated file: what the import of a file leaves in the process for another is not noticed either.
  const files = ['e0.eval.js', 'other.eval.ts'];
  const env = {
    TZ: `Etc/GMT-${Number(others.get(zone)) % 12}`,
  };
  return await ran(project, ...files, '--isolate', '-c', '2', ...args, { env });
}

interface Outcome {
  readonly origin: 'carried' | 'regraded' | undefined;
  readonly text: string;
}

async function ran(
  project: Project,
  ...given: readonly (string | { readonly env: Readonly<Record<string, string>> })[]
): Promise<Map<string, Outcome>> {
  const args = given.filter((one) => typeof one === 'string');
  const [options = {}] = given.filter((one) => typeof one !== 'string');
  const ended = await project.assay(['run', '--json', ...args], options);
  const found = new Map<string, Outcome>();
  // A file that cannot be imported after an edit: nothing runs.
  if (ended.code === 2) return found;
  for (const { id, result } of ended.json().results) {
    const { output, scores, status, error, origin } = result;
    const text = JSON.stringify([output, scores, status, error]);
    found.set(id, { origin: origin?.kind, text });
  }
  return found;
}

function editOther(files: Map<string, string>, random: () => number): string {
  const [file, what, by] = edits[Math.floor(random() * edits.length)] as (typeof edits)[number];
  const number = String(2 + Math.floor(random() * 1e6));
  files.set(file, (files.get(file) ?? '').replace(what, by.replaceAll('#', number)));
  return `${what} of ${file}`;
}

function write(
  project: Project,
  generated: GeneratedProject,
  files: ReadonlyMap<string, string> = new Map(),
) {
  for (const [name, text] of files) if (name !== zone) writeChanged(project, name, text);
  for (const [name, lines] of generated) {
    // Evaluations in exported lists need names.
    const text = lines
      .join('\n')
      .replace(
        /metadata: \{ k \}, target/,
        "metadata: { k }, name: k === 1 ? 'desk' : undefined, target",
      );
    if (!packages.includes(name)) writeChanged(project, name, text);
    else {
      // A package is known by its version, so each text has its own.
      const version = `1.0.0-${createHash('sha256').update(text).digest('hex')}`;
      const manifest = { name, version, type: 'module', exports: './index.js' };
      writeChanged(project, `node_modules/${name}/index.js`, text);
      writeChanged(project, `node_modules/${name}/package.json`, JSON.stringify(manifest));
    }
  }
}

function writeChanged(project: Project, name: string, text: string): void {
  if (!project.has(name) || project.read(name) !== text) project.write(name, text);
}
