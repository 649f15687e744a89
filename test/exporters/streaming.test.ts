import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { AssayError } from '../../src/errors.js';
import { exporters, exportFormats, findExporter } from '../../src/exporters/index.js';
import { builtScript } from '../helpers/built-script.js';
import { fewOf } from '../helpers/rounds.js';

const run = promisify(execFile);
const script = new URL('./stream-many-rows.ts', import.meta.url);

describe('export formats', () => {
  for (const format of fewOf(exportFormats, 1)) {
    it(`streams 100,000 rows of 1 kB as ${format} through a heap of 48 MB`, async () => {
      const node = ['--max-old-space-size=48', builtScript(script), format];
      const { stdout } = await run(process.execPath, node);
      const seen = JSON.parse(stdout);
      expect(seen.made).to.equal(100_000);
      expect(seen.madeAtFirstPiece).to.be.below(1000);
      expect(seen.longest).to.be.within(32_000, 80_000);
      expect(seen.total).to.be.above(20_000_000);
    });
  }

  it('have a name, a media type and an extension each', () => {
    expect(exporters.map((e) => [e.format, e.contentType, e.extension])).to.deep.equal([
      ['json', 'application/json; charset=utf-8', 'json'],
      ['csv', 'text/csv; charset=utf-8', 'csv'],
      ['md', 'text/markdown; charset=utf-8', 'md'],
      ['otlp', 'application/x-ndjson; charset=utf-8', 'otlp.jsonl'],
    ]);
  });

  it('are listed when an unknown one is asked for', () => {
    expect(() => findExporter('xml')).to.throw(AssayError, 'Unknown export format: xml.');
    expect(() => findExporter('constructor')).to.throw(AssayError);
  });
});
