import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import Markdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { renderJunit } from '../../src/cli/reporters/junit-document.js';
import { forStdout } from '../../src/cli/terminal/screen-text.js';
import { allColumns, cellText } from '../../src/exporters/columns.js';
import { csvExporter } from '../../src/exporters/csv.js';
import { jsonExporter } from '../../src/exporters/json.js';
import { escapeCell } from '../../src/exporters/markdown-text.js';
import type { ResultEntry } from '../../src/model/result.js';
import { openStore } from '../../src/store/store.js';
import type { StoredRun } from '../../src/store/stored-run.js';
import { codeEscape, escapeHidden } from '../../src/text/hidden-characters.js';
import { readXml, type XmlElement } from '../cli/reporters/junit-schema.js';
import { patience, rounds } from '../helpers/rounds.js';
import { temporaryFolder } from '../store/builders.js';
import { anyText } from './hostile-values.js';
import { type Step, steps, writeRun } from './written-runs.js';

async function joined(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

/** Calls back with runs that were written by random steps. */
async function withRuns(check: (run: StoredRun, entries: ResultEntry[]) => Promise<void>) {
  const root = temporaryFolder();
  await fc.assert(
    fc.asyncProperty(steps({ most: 8 }), async (toDo: readonly Step[]) => {
      const run = await writeRun(await openStore(root), toDo);
      const entries: ResultEntry[] = [];
      for await (const { entry } of run.entries()) entries.push(entry);
      await check(run, entries);
      await run.close();
    }),
    rounds(12),
  );
}

describe('an exported run, whatever is in it', function () {
  this.timeout(patience);

  it('is the run again when its JSON is read, on a screen, too', () =>
    withRuns(async (run, results) => {
      const document = () => jsonExporter.render(run.snapshot());
      const whole = { ...run.head(), results };
      expect(JSON.parse(await joined(document()))).to.deep.equal(whole);
      const shown = forStdout(await joined(document()), true, true);
      expect(JSON.parse(shown)).to.deep.equal(whole);
      expect(shown).not.to.match(steering);
    }));

  it('has its very texts in the cells of the CSV, and nothing that a spreadsheet runs', () =>
    withRuns(async (run, entries) => {
      const snapshot = run.snapshot();
      const columns = allColumns(snapshot.scoreChips);
      const cells = entries.map((entry) => columns.map((column) => cellText(column.read(entry))));
      const read = async (raw: boolean) =>
        parse(await joined(csvExporter.render(snapshot, { raw })), { record_delimiter: '\r\n' });
      expect((await read(true)).slice(1)).to.deep.equal(cells);
      for (const [row, record] of (await read(false)).slice(1).entries()) {
        for (const [at, cell] of (record as unknown as string[]).entries()) {
          const text = cells[row]?.[at];
          expect(cell).to.be.oneOf([text, `'${text}`]);
          if (Number.isNaN(Number(cell))) expect(cell).not.to.match(/^[=+\-@\t\r\n\0＝＋－＠]/);
        }
      }
    }));

  it('is well-formed JUnit XML with a test case for each result', () =>
    withRuns(async (run, entries) => {
      const root = readXml(await joined(renderJunit(run)));
      const cases = elements(root, 'testcase');
      expect(cases).to.have.lengthOf(entries.length);
      // Those that count: a repeat may be another.
      const errors = entries.filter(
        ({ counted, result }) => (counted ?? result).status === 'error',
      );
      expect(elements(root, 'error')).to.have.lengthOf(errors.length);
    }));
});

describe('text in a cell of a Markdown table', function () {
  this.timeout(patience);

  it('is read as it is, and as nothing else', () => {
    const text = anyText().map((one) => one.toWellFormed());
    fc.assert(
      fc.property(fc.array(fc.oneof(text, markup()), { minLength: 1, maxLength: 4 }), (parts) => {
        const cells = [parts.join(''), 'next'];
        const table = `| a | b |\n| --- | --- |\n| ${cells.map(escapeCell).join(' | ')} |\n`;
        const html = renderToStaticMarkup(
          createElement(Markdown, { remarkPlugins: [remarkGfm] }, table),
        );
        const tags = new Set(Array.from(html.matchAll(/<\/?(\w+)/g), ([, tag]) => tag));
        expect([...tags]).to.have.members(['table', 'thead', 'tbody', 'tr', 'th', 'td']);
        const [, , first = '', second] = Array.from(
          html.matchAll(/<t[hd]>([\s\S]*?)<\/t[hd]>/g),
          ([, inner = '']) => inner,
        );
        expect(asRead(first)).to.equal(asShown(cells[0] ?? ''));
        expect(second).to.equal('next');
      }),
      rounds(150),
    );
  });
});

const steering = /[\p{Cc}\p{Bidi_Control}\u2028\u2029](?<![\n\t])/u;

/** What people, and models, write when they mean Markdown or HTML. */
function markup(): fc.Arbitrary<string> {
  return fc.constantFrom(
    '**b**',
    '|',
    '\\|',
    '`c`',
    '[x](http://a.b)',
    '![x](y)',
    '<b>',
    '</td>',
    '&lt;',
    '&#124;',
    'www.a.org',
    'a@b.org',
    'https://a.b',
    '[^1]',
    '~~s~~',
    '\n',
    '\r\n# h',
    '<!--',
    '- [ ] t',
  );
}

/** Text of HTML; characters that show as nothing are left out. */
function asRead(html: string): string {
  const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', '#x27': "'" };
  return html
    .replace(/&(lt|gt|amp|quot|#x27);/g, (_, name: string) => named[name] ?? '')
    .replaceAll('\u200b', '')
    .replaceAll('<br>', '\n')
    .trim();
}

/** What a cell shows of a text: hidden characters by their numbers, line ends as such. */
function asShown(text: string): string {
  const lines = text.replace(/\r\n|[\r\v\f\u0085\u2028\u2029]/g, '\n');
  const shown = escapeHidden(lines, (one) => {
    if (one === '\n') return one;
    return one === '\t' ? ' ' : codeEscape(one);
  });
  return shown.replaceAll('<br>', '\n').trim();
}

function elements({ children }: XmlElement, name: string): XmlElement[] {
  return children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...elements(child, name),
  ]);
}
