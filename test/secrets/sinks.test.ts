import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { Project } from '../helpers/project.js';
import { seed, times } from '../helpers/rounds.js';
import { encodings } from './encodings.js';

const texts = fc
  .oneof(
    fc.string({ minLength: 12, maxLength: 30, unit: 'grapheme-ascii' }),
    fc.string({ minLength: 12, maxLength: 24, unit: fc.constantFrom(...`ab1%+&<>"'\\/ =:;é🙂`) }),
    fc.string({ minLength: 16, maxLength: 48, unit: fc.constantFrom(...'abcXYZ0189-_') }),
  )
  .map((text) => text.trim())
  .filter((text) => text.length >= 12);

/** Secrets by the name of their variable: texts of all kinds, and numbers. */
const secrets: Readonly<Record<string, string>> = Object.fromEntries([
  ...fc
    .sample(texts, { seed, numRuns: Math.min(6, times(3)) })
    .map((text, n) => [`TEXT_${n}_KEY`, text] as const),
  ...fc
    .sample(fc.integer({ min: 1e11, max: 1e15 }), { seed, numRuns: Math.min(2, times(1)) })
    .map((number, n) => [`NUMBER_${n}_TOKEN`, String(number)] as const),
]);

const numbers = Object.values(secrets).filter((value) => /^\d+$/.test(value));

/** Every secret in every encoding: what must be nowhere. */
const forbidden = Object.entries(secrets).flatMap(([name, value]) =>
  Object.entries(encodings).map(([how, encode]) => ({ name, how, text: encode(value) })),
);

/** In each sink that an evaluation has, one secret in one encoding. */
const evals = `
import { readFileSync } from 'node:fs';
import { evaluation } from 'assay';
const leaks = JSON.parse(readFileSync('leaks.json', 'utf8'));
const numbers = ${JSON.stringify(numbers)}.map(Number);
const cases = leaks.map(({ text }, n) => ({ id: String(n), input: { text } }));
export const sinks = evaluation({ cases, metadata: { leaks } }, (ctx) => {
  const { text } = ctx.input;
  ctx.output = { text, [text]: numbers, bytes: Buffer.from(text) };
  ctx.traceData.said = 'said ' + text;
  ctx.traceData.numbers = numbers;
  ctx.score({ key: 'said', value: 0.5, notes: 'said ' + text });
  console.log('said ' + text);
  console.error({ text, numbers });
  throw new Error('refused ' + text, { cause: numbers[0] });
});
export const top = evaluation({ cases: numbers.map((input) => ({ input })) }, (ctx) => { ctx.output = ctx.input; });
export const credentials = evaluation({}, (ctx) => {
  ctx.traceData.text = 'failed with Authorization: Bearer only-known-here and x-api-key: only-known-here';
  ctx.traceData.rawHeaders = ['Authorization', 'Bearer only-known-here', 'accept', 'kept'];
  ctx.traceData.har = [{ name: 'X-Api-Key', value: 'only-known-here' }];
  console.log('retrying, Cookie: a=only-known-here; b=only-known-here');
  throw new Error('request failed: Authorization: Bearer only-known-here (x-api-key: only-known-here)');
});
`;

describe('secrets in any encoding', () => {
  it('reach no file, report, export or terminal, whichever sink they go to', async () => {
    const project = new Project({ 'a.eval.ts': evals, 'leaks.json': JSON.stringify(forbidden) });
    const env = { ...secrets };
    const reports = ['-o', 'out.md', '--reporter', 'junit=junit.xml', '--reporter', 'github'];
    const { stdout, stderr, run } = await project.run(['--verbose', ...reports], {
      env: { ...env, GITHUB_STEP_SUMMARY: project.path('summary.md') },
    });
    expect(run.results).to.have.lengthOf(forbidden.length + numbers.length + 1);
    expectNone(stdout, 'stdout');
    expectNone(stderr, 'stderr');
    for (const file of ['out.md', 'junit.xml', 'summary.md']) expectNone(project.read(file), file);
    const saved = project.path('.assay');
    for (const entry of readdirSync(saved, { recursive: true, withFileTypes: true })) {
      if (entry.isFile())
        expectNone(readFileSync(join(entry.parentPath, entry.name), 'utf8'), entry.name);
    }
    const commands = [
      ...['json', 'csv', 'md'].map((format) => ['export', 'latest', '-f', format]),
      ['run', '--rerun', 'latest', '--only', 'errors'],
    ];
    for (const args of commands) {
      const ended = await project.assay(args, { env });
      expectNone(ended.stdout + ended.stderr, args.join(' '));
    }
    expect(project.savedText(), 'what is no credential stays').to.include('kept');
  }).timeout(240_000);
});

function expectNone(text: string, where: string): void {
  for (const { name, how, text: leak } of forbidden) {
    // As JSON, which most of these are.
    for (const form of [leak, JSON.stringify(leak).slice(1, -1)]) {
      const at = text.indexOf(form);
      const around = text.slice(Math.max(0, at - 40), at + 80);
      expect(at, `${name} as ${how} in ${where}: ${JSON.stringify(around)}`).to.equal(-1);
    }
  }
  expect(text, where).not.to.include('only-known-here');
}
