import { expect } from 'chai';
import type { Exporter } from '../../src/exporters/exporter.js';
import { exporters } from '../../src/exporters/index.js';
import type { Usage } from '../../src/model/calls/usage.js';
import { leftOutText } from '../../src/text/usage-text.js';
import { buildEntry, buildRun, renderAll } from './sample-run.js';

const used = (calls: number, more: Partial<Usage> = {}): Usage => ({
  ...{ calls, input: calls, output: calls, cost: calls / 10, by_role: {} },
  ...more,
});

describe('what attempts spent that are no result', () => {
  const entries = [
    buildEntry({}, { usage: used(1), replaced_usage: used(2) }),
    buildEntry({}, { usage: used(4), status: 'cancelled' }),
    buildEntry({}, { usage: used(8), status: 'running' }),
    buildEntry(
      {},
      { replaced_usage: used(0, { cost: null, unpriced: 1, programs: 1 }), usage: used(16) },
    ),
  ];
  const run = buildRun(entries, { usage: { ...used(63), unlisted: used(32) } });

  const sayings: Readonly<Record<string, string | undefined>> = {
    json: undefined,
    md: undefined,
    csv: 'Not in it: 32 calls, $3.20 of stopped attempts',
    otlp: 'Not in it: 14 calls, ≥ $1.40 of replaced attempts; 32 calls, $3.20 of stopped attempts',
  };
  for (const { format, leftOut } of exporters as readonly Exporter[]) {
    it(`is in an export as ${format}, or said beside it`, async () => {
      expect(leftOutText(leftOut?.(run) ?? {})).to.equal(sayings[format]);
      expect(leftOutText(leftOut?.(buildRun([buildEntry()])) ?? {})).to.equal(undefined);
    });
  }

  it('is not missed in a table that shows no costs, and in some results only as far as it is theirs', () => {
    const [, csv, , otlp] = exporters;
    expect(csv.leftOut?.(run, { columns: ['id', 'status'] })).to.deep.equal({});
    expect(csv.leftOut?.(run, { indices: [0] })).to.deep.equal({});
    expect(leftOutText(otlp.leftOut?.(run, { indices: [0] }) ?? {})).to.equal(
      'Not in it: 2 calls, $0.20 of replaced attempts',
    );
  });

  it('is in the usage of an export that names all results', async () => {
    const usageOf = async (indices: readonly number[]) =>
      JSON.parse(await renderAll(exporters[0], run, { indices })).usage;
    expect(await usageOf([3, 2, 1, 0])).to.deep.include({ unlisted: used(32) });
    expect(await usageOf([0, 1])).to.deep.include({ cost: 0.7, unpriced: 1, elsewhere: 1 });
  });

  it('is said in the resource of traces', async () => {
    const saidOf = async (one: typeof run) => {
      const [line = ''] = (await renderAll(exporters[3], one)).split('\n');
      return JSON.parse(line).resourceSpans[0].resource.attributes.slice(2);
    };
    expect(await saidOf(run)).to.deep.equal([
      { key: 'assay.left_out.calls', value: { intValue: '46' } },
      { key: 'assay.left_out.cost', value: { doubleValue: 4.6 } },
      { key: 'assay.left_out.unknown_costs', value: { intValue: '1' } },
    ]);
    const [finished] = entries.slice(-1);
    const unlisted = used(0, { cost: null, unpriced: 1, cut_off: 1 });
    const killed = buildRun(finished ? [finished] : [], { usage: { ...used(16), unlisted } });
    expect(await saidOf(killed)).to.deep.equal([
      { key: 'assay.left_out.cut_off', value: { intValue: '1' } },
      { key: 'assay.left_out.unknown_costs', value: { intValue: '2' } },
    ]);
  });
});
