import { expect } from 'chai';
import { renderJunit } from '../../../src/cli/reporters/junit-document.js';
import { graded, type SavedRow, savedRun, trials } from '../saved-run.js';
import { readXml, schemaFaults, type XmlElement } from './junit-schema.js';

async function document(rows: readonly SavedRow[]): Promise<{ text: string; root: XmlElement }> {
  const run = await savedRun(rows);
  const pieces: string[] = [];
  for await (const piece of renderJunit(run)) pieces.push(piece);
  await run.close();
  const text = pieces.join('');
  return { text, root: readXml(text) };
}

/** What stands in the test cases, but for their properties. */
function outcomes({ children: suites }: XmlElement): XmlElement[] {
  const cases = suites.flatMap(({ children }) => children);
  return cases
    .flatMap(({ children }) => children)
    .filter(({ name }) => name === 'failure' || name === 'error');
}

const nasty = '<b>&amp;]]>"\u0000\u001b[31m\ud800\ufffe\n::error::x\r\u202e😀';

describe('renderJunit', () => {
  it('is valid for the schemas of Ant and of Jenkins, whatever evaluations put out', async () => {
    const { text } = await document([
      { end: graded(true) },
      { end: { scores: [{ key: nasty, passed: false, notes: nasty }], output: nasty } },
      { end: { status: 'error', error: `Error: ${nasty}`, latency: 1e-9 } },
      { unfinished: 'cancelled' },
      { end: { scores: [], latency: 12_345_678.9 } },
      ...trials('agent', 'pfe'),
    ]);
    expect(schemaFaults(text)).to.deep.equal([]);
    expect(text).to.not.match(/[\p{Cs}\ufffe]/u);
    expect(text.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n')).to.equal(true);
  });

  it('shows everything as it was put out, and nothing as a command', async () => {
    const { root, text } = await document([
      { end: { scores: [{ key: 'exact', passed: false, notes: nasty }], output: nasty } },
      { end: { status: 'error', error: `Error: ${nasty}\n  ##[error]y` } },
    ]);
    const shown = '<b>&amp;]]>"\\u{0}\\u{1b}[31m\\u{d800}\\u{fffe}\n::error::x\r\\u{202e}😀';
    const [failure, error] = outcomes(root);
    expect(failure?.text).to.include(`exact failed: ${shown}\n`).and.to.include(`output: ${shown}`);
    expect(error?.text).to.equal(`Error: ${shown}\n  ##[error]y`);
    expect(text.split(/[\r\n]/).filter((line) => /^\s*::|##\[/.test(line))).to.deep.equal([]);
  });

  it('is found out by the schemas when it is not as it should be', async () => {
    const { text } = await document([{ end: graded(true) }, { end: graded(false) }]);
    const faults = [
      [/ hostname="localhost"/, 'ant'],
      [/ tests="2"/, 'jenkins'],
      [/<system-out\/>/, 'ant'],
      [/(?<=testcase[^>]* time=")[^"]*/, 'ant'],
      [/(?<=<failure) message/, 'jenkins'],
    ] as const;
    for (const [part, schema] of faults) {
      const broken = text.replace(part, part.source.endsWith('message') ? ' reason' : '');
      expect(broken).to.not.equal(text);
      expect(schemaFaults(broken).join('\n')).to.include(`${schema}: `);
    }
    expect(schemaFaults(text.replaceAll('testcase', 'test'))).to.have.length.above(1);
  });

  it('has one suite for each eval file and one test case for each result', async () => {
    const { root } = await document([
      { end: graded(true) },
      { end: graded(false, { latency: 0.5 }) },
      { unfinished: 'cancelled' },
      ...trials('agent', 'pfe'),
    ]);
    const suites = root.children.map(({ attributes }) => {
      const { name, id, tests, failures, errors, skipped, time } = attributes;
      return [name, id, tests, failures, errors, skipped, time];
    });
    expect(suites).to.deep.equal([
      ['evals/sentiment.eval.ts', '0', '3', '1', '0', '1', '0.500200'],
      ['evals/agent.eval.ts', '1', '3', '1', '1', '0', '0.000600'],
    ]);
    const cases = root.children.flatMap(({ children }) =>
      children.flatMap(({ name, attributes, children: [first] }) =>
        name === 'testcase' ? [[attributes.name, first?.name]] : [],
      ),
    );
    expect(cases).to.deep.equal([
      ['review[0]', undefined],
      ['review[1]', 'failure'],
      ['review[2]', 'skipped'],
      ['agent trial 1', undefined],
      ['agent trial 2', 'failure'],
      ['agent trial 3', 'error'],
    ]);
  });

  it('says how a value misses its threshold', async () => {
    const lower = { threshold: 500, better: 'lower' } as const;
    const { root } = await document([
      {
        plan: { input: 'q' },
        end: {
          output: 'a',
          scores: [
            { key: 'Levenshtein', passed: false, value: 0.62, threshold: 0.8 },
            { key: 'tokens', passed: false, value: 531, ...lower, notes: 'too long' },
            { key: 'by judge', passed: false, value: 0.9, threshold: 0.8 },
          ],
        },
      },
    ]);
    const [failure] = outcomes(root);
    expect(failure?.attributes.message).to.equal(
      'Levenshtein 0.62, wanted ≥ 0.8; tokens 531, wanted ≤ 500: too long; by judge',
    );
    expect(failure?.text).to.equal(
      'Levenshtein 0.62, wanted ≥ 0.8\ntokens 531, wanted ≤ 500: too long\nby judge failed\ninput: q\noutput: a',
    );
  });

  it('says why a result failed, with input, output and reference', async () => {
    const { root } = await document([
      {
        plan: { input: { q: 1 }, reference: 'negative' },
        end: {
          output: 'positive',
          scores: [
            { key: 'exact', passed: false, notes: 'wanted another' },
            { key: 'short', passed: true },
          ],
        },
      },
      { end: { status: 'error', error: 'TypeError: x is not a function\n    at a.ts:1:2' } },
    ]);
    const [failure, error] = outcomes(root);
    expect(failure?.attributes.message).to.equal('exact: wanted another');
    expect(failure?.text).to.equal(
      'exact failed: wanted another\ninput: {"q":1}\noutput: positive\nreference: negative',
    );
    expect(error?.attributes.message).to.equal('TypeError: x is not a function');
    expect(error?.text).to.equal('TypeError: x is not a function\n    at a.ts:1:2');
  });

  it('cuts long values', async () => {
    const { text } = await document([{ end: graded(false, { output: 'x'.repeat(1e6) }) }]);
    expect(text.length).to.be.below(10_000);
  });
});
