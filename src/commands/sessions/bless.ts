import { Args, Flags } from '@oclif/core';
import { blessRun } from '../../cli/compare/bless-run.js';
import { referenceSessionFlag, runDescription } from '../../cli/flags.js';
import { checkOutputFile } from '../../cli/output-file.js';
import { StoreCommand } from '../../cli/store-command.js';
import { escapeTerminal } from '../../cli/terminal/terminal-text.js';
import { openForComparison } from '../../compare/open-for-comparison.js';
import { countOf } from '../../text/count-text.js';

/** Answer of `assay sessions bless RUN FILE --json`. */
export interface BlessedRunJson {
  /** As given. */
  readonly file: string;
  readonly run_id: string;
  readonly run_name: string;
  /** The number of cases in the file. */
  readonly evaluations: number;
}

export default class SessionsBless extends StoreCommand {
  static override summary = 'Write a run to a baseline file, to compare with later.';
  static override description =
    'The file is small, sorted and meant for version control: one line for each case, without inputs and outputs.';
  static override examples = [
    '<%= config.bin %> sessions bless latest evals/baseline.json',
    '<%= config.bin %> run evals --baseline evals/baseline.json --fail-on regression',
  ];
  static override args = {
    run: Args.string({
      description: runDescription,
      required: true,
    }),
    file: Args.string({ description: 'File to write.', required: true }),
  };
  static override flags = {
    force: Flags.boolean({ description: 'Also bless a run that has not finished.' }),
    session: referenceSessionFlag,
  };

  async run(): Promise<BlessedRunJson> {
    const { args, flags } = await this.parse(SessionsBless);
    const { file } = args;
    await checkOutputFile(file);
    const store = await this.openResults(flags);
    const where = { cwd: process.cwd(), session: flags.session };
    const run = await openForComparison(store, args.run, where);
    try {
      this.noteProblems(run.problems);
      const evaluations = await blessRun(run, file, { force: flags.force });
      const { run_id, run_name } = run.head;
      const count = countOf(evaluations, 'case');
      // A baseline has no cases that the part lacks, so nothing is compared with those.
      const part = run.part === undefined ? '' : `, a part with ${run.part},`;
      this.log(`${count} of ${escapeTerminal(run_name)}${part} written to ${escapeTerminal(file)}`);
      return { file, run_id, run_name, evaluations };
    } finally {
      await run.close();
    }
  }
}
