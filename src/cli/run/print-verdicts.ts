import type { ChalkInstance } from 'chalk';
import type { GateVerdict } from '../../model/gates/gate-verdict.js';
import { coloursFor } from '../terminal/colour.js';
import { streamWidth } from '../terminal/stream-width.js';
import { escapeTerminal } from '../terminal/terminal-text.js';
import type { BaselineComparison } from './run-baseline.js';

/** Prints the comparison with the baseline, and a line for each verdict, on stderr. */
export function printVerdicts(
  verdicts: readonly GateVerdict[],
  comparison: BaselineComparison | undefined,
): void {
  const colours = coloursFor('stderr');
  if (comparison !== undefined) {
    const columns = streamWidth(process.stderr);
    process.stderr.write(`\n${comparison.text({ columns, colours })}\n\n`);
  }
  for (const { verdict, text } of verdicts) {
    process.stderr.write(`  ${renderVerdict(verdict, escapeTerminal(text), colours)}\n`);
  }
}

function renderVerdict(
  verdict: GateVerdict['verdict'],
  text: string,
  colours: ChalkInstance,
): string {
  if (verdict === 'yes') return colours.green(`✓ ${text}`);
  return verdict === 'no' ? colours.red(`✗ ${text}`) : colours.yellow(`? ${text} (exit code 2)`);
}
