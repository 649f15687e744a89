import { AssayError } from '../../errors.js';
import { type Shard, shardText } from '../../model/shard.js';
import { formatVersion } from '../log/records.js';
import type { PartLog } from './part-log.js';

/** A part with its place in the whole. */
export type CheckedPart = PartLog & { readonly shard: Shard };

/**
 * The parts in order, if they make one whole. Errors: `bad-request` for parts of different wholes, for the same part
 * twice and for missing ones; `busy` for one that is being executed; `newer-format`.
 */
export function checkParts(logs: readonly PartLog[]): CheckedPart[] {
  const parts = logs.map(checkPart).sort((a, b) => a.shard.part - b.shard.part);
  const [first, ...others] = parts;
  if (first === undefined) throw new AssayError('usage', 'Name the parts of a run to merge.');
  for (const other of others) refuseOtherWhole(first, other);
  parts.forEach((part, at) => {
    const twin = parts[at - 1];
    if (twin?.shard.part !== part.shard.part) return;
    const what = shardText(part.shard);
    throw new AssayError('bad-request', `${twin.name} and ${part.name} are both ${what}.`);
  });
  refuseMissing(parts, first.shard);
  return parts;
}

function checkPart(part: PartLog): CheckedPart {
  const { name, shard, index } = part;
  if (index.format > formatVersion) {
    throw new AssayError('newer-format', part.problems[0] ?? `${name} is of a newer assay.`);
  }
  if (shard === undefined) {
    throw new AssayError('bad-request', `${name} is not a part of a run.`, {
      hints: ['Parts are made by: assay run --shard I/N'],
    });
  }
  if (part.isRunning) {
    throw new AssayError(
      'busy',
      `${name}, ${shardText(shard)}, is running. Merge when it has ended.`,
    );
  }
  if (!index.started) {
    throw new AssayError('bad-request', `${name}, ${shardText(shard)}, has not started.`, {
      hints: [`Run it: assay run --resume ${part.header.run_id}`],
    });
  }
  return part as CheckedPart;
}

function refuseOtherWhole(a: CheckedPart, b: CheckedPart): void {
  const different = differences(a, b);
  if (different.length === 0) return;
  throw new AssayError(
    'bad-request',
    `${a.name} and ${b.name} are parts of different runs: ${different.join('; ')}.`,
    { hints: ['Run all parts from the same commit, with the same selection, settings and flags.'] },
  );
}

function differences(a: CheckedPart, b: CheckedPart): string[] {
  const [of, other] = [a.shard, b.shard];
  const configs = [a, b].map(({ header }) => JSON.stringify(header.config_name));
  return [
    ...(of.of === other.of ? [] : [`${shardText(of)} and ${shardText(other)}`]),
    ...(of.plan === other.plan ? [] : [planText(of, other)]),
    ...(of.config === other.config ? [] : [configText(configs)]),
    ...(of.code === other.code ? [] : ['their code differs']),
    ...(of.balance === other.balance ? [] : ['their --baseline differs']),
  ];
}

function planText({ cases }: Shard, { cases: others }: Shard): string {
  return cases === others
    ? 'their cases or trials differ'
    : `the whole has ${cases} cases and ${others} cases`;
}

function configText([a, b]: readonly string[]): string {
  return a === b ? 'their settings or params differ' : `their run configs are ${a} and ${b}`;
}

// Further parts are only counted.
const mostNamed = 20;

function refuseMissing(parts: readonly CheckedPart[], { of }: Shard): void {
  const found = new Set(parts.map(({ shard }) => shard.part));
  const missing = Array.from({ length: of }, (_, at) => at + 1).filter((part) => !found.has(part));
  const [first] = missing;
  if (first === undefined) return;
  const named = missing.slice(0, mostNamed).join(', ');
  const more = missing.length > mostNamed ? ` and ${missing.length - mostNamed} more` : '';
  const what = missing.length === 1 ? 'Part' : 'Parts';
  const are = missing.length === 1 ? 'is' : 'are';
  throw new AssayError('bad-request', `${what} ${named}${more} of ${of} ${are} missing.`, {
    hints: [`Run it as the others were: assay run --shard ${first}/${of}`],
  });
}
