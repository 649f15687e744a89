import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { csvExporter } from '../../src/exporters/csv.js';
import type { ExportOptions } from '../../src/exporters/exporter.js';
import type { Json, ResultEntry } from '../../src/model/result.js';
import { refusal } from '../store/builders.js';
import { buildEntry, buildRun, renderAll } from './sample-run.js';

const formulas = [
  ...['=1+1', '=HYPERLINK("http://evil.example","click")', "=cmd|' /C calc'!A0", '+1', '-5'],
  ...['-', '-2+3+cmd|A', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '\0=1', '\uff1d1+1', '\uff0b1'],
  ...['\uff0d1', '\uff20x'],
];

const harmless = [
  ...['', 'plain', "'quoted", '"=1"', 'a,b;c\td', 'two\nlines', 'two\r\nlines', 'lone\rreturn'],
  ...['""', '",=1,"', ' =1', '1-1', '日本語 😀', '\u2028', 'ends with "', '#comment'],
];

async function exportRows(
  entries: readonly ResultEntry[],
  options?: ExportOptions,
): Promise<string[][]> {
  return parse(await renderAll(csvExporter, buildRun(entries), options));
}

async function outputCell(output: Json, raw = false): Promise<string | undefined> {
  const rows = await exportRows([buildEntry({}, { output })], { columns: ['output', 'id'], raw });
  return rows[1]?.[0];
}

describe('csv export', () => {
  it('keeps value, verdict and threshold of a score', async () => {
    const score = { key: 'near', passed: false, value: 0.5, threshold: 0.8 };
    const csv = await renderAll(csvExporter, buildRun([buildEntry({}, { scores: [score] })]));
    const [row] = parse(csv, { columns: true }) as Record<string, string>[];
    expect(row?.['score:near']).to.equal('0.5');
    expect(JSON.parse(row?.scores ?? '')).to.deep.equal([score]);
  });

  it('has the verdict that counts beside that of a result that ran again', async () => {
    const counted = { ...buildEntry({}, { scores: [{ key: 'a', passed: false }] }).result };
    const again = buildEntry({ counted }, { scores: [{ key: 'a', passed: true }] });
    const [row] = parse(await renderAll(csvExporter, buildRun([again])), { columns: true }) as {
      counted: string;
    }[];
    expect(JSON.parse(row?.counted ?? '')).to.deep.equal({
      ...{ status: 'completed', error: null },
      scores: [{ key: 'a', passed: false }],
    });
  });

  it('writes a header and one row per result, with CRLF', async () => {
    const judged = buildEntry(
      { labels: ['a', 'b,c'], trial: 2, trial_of: 'x' },
      {
        input: 'say "hi"',
        output: { text: 'hi' },
        reference: 3,
        scores: [
          { key: 'exact', passed: true },
          { key: 'size', value: -0.5, passed: false },
        ],
        latency: 0.25,
        metadata: { lang: 'en' },
        annotation: 'fine',
        usage: { calls: 2, input: 10, output: 5, cost: 0.25, by_role: {} },
      },
    );
    const failed = buildEntry({}, { status: 'error', error: 'Error: no\nat x' });
    const document = await renderAll(csvExporter, buildRun([judged, failed]));
    expect(document).to.equal(
      [
        'id,function,dataset,labels,trial,status,input,output,reference,score:exact,score:size,scores,error,latency,metadata,trace_data,annotation,correction_history,code,pruned,counted,calls,tokens,cost,taken_cost,usage',
        'evals/a.eval.ts::refund,refund,support,"[""a"",""b,c""]",2,completed,"say ""hi""","{""text"":""hi""}",3,true,-0.5,"[{""key"":""exact"",""passed"":true},{""key"":""size"",""value"":-0.5,""passed"":false}]",,0.25,"{""lang"":""en""}",{},fine,[],,,,2,15,0.25,,"{""calls"":2,""input"":10,""output"":5,""cost"":0.25,""by_role"":{}}"',
        'evals/a.eval.ts::refund,refund,support,[],,error,,,,,,[],"Error: no\nat x",,{},{},,[],,,,,,,,',
        '',
      ].join('\r\n'),
    );
  });

  it('writes the header alone for a run without results', async () => {
    const document = await renderAll(csvExporter, buildRun([]), { columns: ['id', 'output'] });
    expect(document).to.equal('id,output\r\n');
  });

  for (const text of formulas) {
    it(`puts a quote before ${JSON.stringify(text)}, and not when raw`, async () => {
      expect(await outputCell(text)).to.equal(`'${text}`);
      expect(await outputCell(text, true)).to.equal(text);
    });
  }

  for (const text of harmless) {
    it(`keeps ${JSON.stringify(text)} as it is`, async () => {
      expect(await outputCell(text)).to.equal(text);
    });
  }

  it('quotes line ends of every kind', async () => {
    for (const text of ['a\nb', 'a\rb', 'a\r\nb']) {
      const run = buildRun([buildEntry({}, { output: text })]);
      const document = await renderAll(csvExporter, run, { columns: ['output'] });
      expect(document).to.equal(`output\r\n"${text}"\r\n`);
    }
  });

  it('keeps numbers numbers and writes structures as JSON', async () => {
    expect(await outputCell(-5)).to.equal('-5');
    expect(await outputCell(1e21)).to.equal('1e+21');
    expect(await outputCell(false)).to.equal('false');
    expect(await outputCell(null)).to.equal('');
    expect(await outputCell(['=1', null])).to.equal('["=1",null]');
  });

  it('has a column for any value in the results, under the name that was asked for', async () => {
    const columns = [
      'metadata.tier',
      'output.items[0].id',
      'input["due date"]',
      'reference.no',
      'id',
    ];
    const given = {
      metadata: { tier: '=gold' },
      output: { items: [{ id: 7 }] },
      input: { 'due date': ['may', 1] },
    };
    const rows = await exportRows([buildEntry({}, given), buildEntry()], { columns });
    expect(rows[0]).to.deep.equal(columns);
    expect(rows[1]?.slice(0, 4)).to.deep.equal(["'=gold", '7', '["may",1]', '']);
    expect(rows[2]?.slice(0, 4)).to.deep.equal(['', '', '', '']);
  });

  it('guards every text column, whoever wrote it', async () => {
    const entry = buildEntry(
      { id: '=id', function: '=f', dataset: '=d' },
      { input: '=i', reference: '=r', error: '=e', annotation: '=a' },
    );
    const columns = ['id', 'function', 'dataset', 'input', 'reference', 'error', 'annotation'];
    const rows = await exportRows([entry], { columns });
    expect(rows[1]).to.deep.equal(["'=id", "'=f", "'=d", "'=i", "'=r", "'=e", "'=a"]);
  });

  it('has a column for any score key', async () => {
    const keys = [
      ...['=1', 'a,b', 'a\nb', '__proto__', 'scores', 'constructor', 'a.b', 'output', 'Size'],
    ];
    const scores = keys.map((key, value) => ({ key, value }));
    const columns = keys.map((key) => `score:${key}`);
    const rows = await exportRows([buildEntry({}, { scores }), buildEntry()], { columns });
    expect(rows[0]).to.deep.equal(columns);
    expect(rows[1]).to.deep.equal(keys.map((_, value) => String(value)));
    expect(rows[2]).to.deep.equal(keys.map(() => ''));
  });

  it('shows the first of two scores with one key', async () => {
    const scores = [
      { key: 'x', passed: false },
      { key: 'x', value: 1 },
    ];
    const rows = await exportRows([buildEntry({}, { scores })], { columns: ['score:x'] });
    expect(rows).to.deep.equal([['score:x'], ['false']]);
  });

  it('takes columns in the order given, each once, with eval as a name of function', async () => {
    const rows = await exportRows([buildEntry()], {
      columns: ['status', 'eval', 'id', 'function'],
    });
    expect(rows).to.deep.equal([
      ['status', 'function', 'id'],
      ['completed', 'refund', 'evals/a.eval.ts::refund'],
    ]);
  });

  it('takes rows in the order given and leaves out those the run does not have', async () => {
    const entries = ['a', 'b', 'c'].map((id) => buildEntry({ id }));
    const indices = [2, 0, 2, 3, -1, 0.5, Number.NaN];
    const rows = await exportRows(entries, { columns: ['id'], indices });
    expect(rows).to.deep.equal([['id'], ['c'], ['a']]);
  });

  it('names near columns when one is unknown, before the first piece', async () => {
    const run = buildRun([buildEntry({}, { scores: [{ key: 'exact', passed: true }] })]);
    for (const [name, near] of [
      ['ouput', 'output'],
      ['Input', 'input'],
      ['score:exakt', 'score:exact'],
      ['evall', 'eval'],
    ] as const) {
      const error = await refusal(() => csvExporter.render(run, { columns: ['id', name] }));
      expect(error.code).to.equal('usage');
      expect(error.message).to.equal(`Unknown column: ${name}.`);
      expect(error.hints[0]).to.include(`Did you mean ${near}`);
    }
  });

  it('takes names of prototypes and long ones for unknown columns', async () => {
    for (const name of ['__proto__', 'constructor', 'x'.repeat(1_000_000)]) {
      const error = await refusal(() => csvExporter.render(buildRun([]), { columns: [name] }));
      expect(error.message).to.have.length.below(200);
    }
  });

  it('refuses a table without columns', async () => {
    const { code } = await refusal(() => csvExporter.render(buildRun([]), { columns: [] }));
    expect(code).to.equal('usage');
  });
});
