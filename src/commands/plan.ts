import { Args, Flags } from '@oclif/core';
import { referenceSessionFlag, runDescription } from '../cli/flags.js';
import { renderPlan } from '../cli/plan/plan-text.js';
import { StoreCommand } from '../cli/store-command.js';
import { streamWidth } from '../cli/terminal/stream-width.js';
import { openForComparison } from '../compare/open-for-comparison.js';
import { planRun, type RunPlan } from '../compare/plan-run.js';
import { AssayError } from '../errors.js';

export default class Plan extends StoreCommand {
  static override summary =
    'Say how small a drop runs of this size find, and what a smaller one takes.';
  static override description =
    'For two runs like RUN and the gate --fail-on regression. The numbers are explained in docs/statistics.md.';
  static override examples = [
    '<%= config.bin %> plan',
    '<%= config.bin %> plan brisk-otter --drop 5',
    '<%= config.bin %> plan --drop 5 --json | jq .wanted.alike.evaluations.results',
  ];
  static override args = {
    run: Args.string({ description: `${runDescription} Default: latest.` }),
  };
  static override flags = {
    drop: Flags.custom<number>({
      description: 'Say how many evaluations, or trials, find a drop of the pass rate by N points.',
      helpValue: 'N',
      parse: async (text) => pointsOf(text),
    })(),
    session: referenceSessionFlag,
  };

  async run(): Promise<RunPlan> {
    const { args, flags } = await this.parse(Plan);
    const store = await this.openResults(flags);
    const where = { cwd: process.cwd(), session: flags.session };
    const run = await openForComparison(store, args.run ?? 'latest', where);
    try {
      this.noteProblems(run.problems);
      for (const { text, mend } of run.doubts ?? []) this.note(`${text}: ${mend}`);
      const plan = planRun(run, flags.drop === undefined ? undefined : flags.drop / 100);
      if (!this.jsonEnabled()) this.log(renderPlan(plan, streamWidth(process.stdout)));
      return plan;
    } finally {
      await run.close();
    }
  }
}

function pointsOf(text: string): number {
  const points = Number(text);
  if (/^\d*\.?\d+$/.test(text) && points > 0 && points < 100) return points;
  throw new AssayError(
    'usage',
    `--drop takes percentage points above 0 and below 100, not ${JSON.stringify(text)}.`,
  );
}
