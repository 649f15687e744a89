import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { Chalk } from 'chalk';
import { renderEvaluationError } from '../../../src/cli/report/evaluation-error.js';
import { temporaryFolder } from '../../store/builders.js';

const colours = new Chalk({ level: 0 });

describe('renderEvaluationError', () => {
  let folder: string;
  let source: string;

  beforeEach(() => {
    folder = temporaryFolder();
    source = join(folder, 'evals', 'a.eval.ts');
    mkdirSync(join(folder, 'evals'));
    writeFileSync(source, 'first\n\treturn reply.text; // sk-12345678\n');
  });

  function render(error: string, change: { columns?: number; name?: string } = {}) {
    const { columns = 80, name = 'refund' } = change;
    const redact = (text: string) => text.replace('sk-12345678', '[redacted:API_KEY]');
    return renderEvaluationError(name, error, { cwd: folder, columns, colours, redact });
  }

  it('tells name, message, line of code and first frames', () => {
    const url = pathToFileURL(source).href;
    const frames = [`    at target (${url}:2:10)`, `    at async ${source}:1:1`];
    const more = ['    at x (/elsewhere/x.ts:1:1)', '    at y (/elsewhere/y.ts:1:1)'];
    expect(render(['TypeError: no text', ...frames, ...more].join('\n'))).to.deep.equal([
      '  ! refund',
      '    TypeError: no text',
      '      2 │ return reply.text; // [redacted:API_KEY]',
      '      at target (evals/a.eval.ts:2:10)',
      '      at async evals/a.eval.ts:1:1',
      '      at x (/elsewhere/x.ts:1:1)',
      '      … 1 more frame',
    ]);
  });

  it('tells causes with their own frames', () => {
    const error = `Error: outer\n    at a (${source}:1:1)\nCaused by: Error: inner\n    at b (${source}:2:1)`;
    expect(render(error)).to.deep.equal([
      '  ! refund',
      '    Error: outer',
      '      1 │ first',
      '      at a (evals/a.eval.ts:1:1)',
      '    Caused by: Error: inner',
      '      at b (evals/a.eval.ts:2:1)',
    ]);
  });

  it('indents the errors that an error collects', () => {
    const error = `AggregateError: all\n  1 of 1: Error: inner\n      at b (${source}:2:1)\nCaused by: Error: c\n    at c (${source}:1:1)`;
    expect(render(`Error: x\n    at a (${source}:1:1)\n  1 of 1: ${error}`)).to.include.members([
      '      1 of 1: AggregateError: all',
      '        at b (evals/a.eval.ts:2:1)',
      '    Caused by: Error: c',
      '      at c (evals/a.eval.ts:1:1)',
    ]);
  });

  it('shows no code of packages, of other folders, of lines that are not there, of what is no file', () => {
    const packaged = join(folder, 'node_modules', 'p', 'index.js');
    mkdirSync(join(folder, 'node_modules', 'p'), { recursive: true });
    writeFileSync(packaged, 'code of a package\n');
    const outside = join(folder, '..', `${folder.split('/').at(-1)}-outside.ts`);
    writeFileSync(outside, 'outside\n');
    try {
      for (const place of [packaged, outside, `${folder}/evals`, `${folder}/gone.ts`]) {
        expect(render(`Error: x\n    at f (${place}:1:1)`).join('\n')).not.to.include('│');
      }
      expect(render(`Error: x\n    at f (${source}:99:1)`).join('\n')).not.to.include('│');
    } finally {
      rmSync(outside);
    }
  });

  it('escapes and cuts everything, however long', () => {
    const error = `Error: \x1b]0;title\x07\n${'m\x1b[2J'.repeat(100_000)}\n    at \x9b2J (/x\u202e.ts:1:1)`;
    const lines = render(error, { columns: 40, name: `na\x1bme${'e'.repeat(300)}` });
    expect(lines[0]).to.equal(`  ! na\\u{1b}mee…${'e'.repeat(24)}`);
    expect(lines[1]).to.equal(String.raw`    Error: \u{1b}]0;title\u{7}`);
    expect(lines.at(-1)).to.equal(String.raw`      at \u{9b}2J (/x\u{202e}.ts:1:1)`);
    for (const line of lines) expect(line.length).to.be.at.most(40);
  });

  it('puts frames of the user first, and counts those of packages', () => {
    const packaged = (name: string) => `    at f (${folder}/node_modules/${name}/index.js:1:1)`;
    const stack = [packaged('openai'), packaged('@scope/p'), `    at ask (${source}:1:1)`];
    const more = [packaged('openai'), '    at Array.map (<anonymous>)'];
    expect(render(['Error: x', ...stack, ...more].join('\n')).slice(2)).to.deep.equal([
      '      1 │ first',
      '      at ask (evals/a.eval.ts:1:1)',
      '      … 3 frames of openai, @scope/p',
    ]);
    expect(render(['Error: x', packaged('openai')].join('\n')).slice(2)).to.deep.equal([
      '      at f (node_modules/openai/index.js:1:1)',
    ]);
  });

  it('shows frames of a recursion once', () => {
    const deep = Array.from({ length: 30 }, () => `    at deep (${source}:2:1)`);
    const lines = ['Error: x', ...deep, `    at target (${source}:1:1)`].join('\n');
    expect(render(lines).slice(2)).to.deep.equal([
      '      2 │ return reply.text; // [redacted:API_KEY]',
      '      at deep (evals/a.eval.ts:2:1) ×30',
      '      at target (evals/a.eval.ts:1:1)',
    ]);
  });

  it('shows the first thirty lines of a long message', () => {
    const lines = render(Array.from({ length: 1000 }, (_, i) => `line ${i}`).join('\n'));
    expect(lines).to.have.length(31);
    expect(lines.at(-1)).to.equal('    line 29');
  });
});
