import { AssayError } from '../../errors.js';
import { addTo } from '../../model/lists-by-key.js';
import type { PartLog } from './part-log.js';

/**
 * The parts of each variant, in the order of the first group; one list for parts of no group. Errors: `bad-request` for parts
 * of groups beside others, and for groups of which one lacks a variant.
 */
export function sortByVariant(parts: readonly PartLog[]): (readonly PartLog[])[] {
  const alone = parts.find(({ header }) => header.group_runs === undefined);
  const grouped = parts.find(({ header }) => header.group_runs !== undefined);
  if (grouped === undefined) return [parts];
  if (alone !== undefined) {
    throw notOfOne(`${grouped.name} is of a group of variants, and ${alone.name} is of none`);
  }
  const groups = new Map<string, PartLog[]>();
  for (const part of parts) addTo(groups, part.header.group_runs?.join(' ') ?? '', part);
  const byName = new Map<string, PartLog[]>();
  for (const part of [...groups.values()].flatMap(inOrder)) {
    addTo(byName, part.header.run_name, part);
  }
  for (const [name, [one]] of byName) {
    for (const others of groups.values()) {
      if (others.some(({ header }) => header.run_name === name)) continue;
      throw notOfOne(
        `${groupText(one)} has the variant ${name}, and ${groupText(others[0])} has not`,
      );
    }
  }
  return [...byName.values()];
}

/** As the command had them, the base first. */
function inOrder(group: readonly PartLog[]): PartLog[] {
  const placeOf = ({ header }: PartLog) => header.group_runs?.indexOf(header.run_id) ?? 0;
  return [...group].sort((a, b) => placeOf(a) - placeOf(b));
}

function groupText(part: PartLog | undefined): string {
  return `the group ${part?.header.group} of ${part?.name}`;
}

function notOfOne(why: string): AssayError {
  const text = `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
  return new AssayError('bad-request', `These are no parts of one whole. ${text}`, {
    hints: ['Run all parts with the same --param, --run-config and --variants.'],
  });
}
