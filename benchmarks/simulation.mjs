import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * Reads the options of a simulation: `--repetitions`, `--seed`, `--dist`, and `more` ones with their defaults. Prints the
 * usage and exits for `--help`. `from` imports a module of the simulated build.
 */
export async function beginSimulation(usage, more = {}) {
  const defaults = {
    repetitions: '1000',
    seed: '1',
    dist: fileURLToPath(new URL('../dist', import.meta.url)),
    help: false,
    ...more,
  };
  const types = Object.entries(defaults).map(([name, value]) => [
    name,
    typeof value === 'boolean' ? { type: 'boolean', default: value } : textOption(value),
  ]);
  const { values: options } = parseArgs({ options: Object.fromEntries(types) });
  if (options.help) {
    console.log(usage);
    process.exit();
  }
  const from = (path) => import(pathToFileURL(join(resolve(options.dist), path)).href);
  const { seededRandom } = await from('statistics/random.js');
  const repetitions = Number(options.repetitions);
  return { options, from, repetitions, random: seededRandom(Number(options.seed)) };
}

function textOption(value) {
  return value === undefined ? { type: 'string' } : { type: 'string', default: value };
}

/** Three standard errors of a share among so many. */
export function noiseOf(share, count) {
  return 3 * Math.sqrt((share * (1 - share)) / count);
}

/** `12.3 %` */
export function percent(share) {
  return `${(share * 100).toFixed(1)} %`;
}

/** Prints the line of a Markdown table. */
export function print(cells) {
  console.log(`| ${cells.join(' | ')} |`);
}

/** Lists what is outside, and makes the program fail for it. */
export function judge(outside) {
  if (outside.length === 0) return;
  console.log(`\nOutside:\n${outside.map((name) => `- ${name}`).join('\n')}`);
  process.exitCode = 1;
}
