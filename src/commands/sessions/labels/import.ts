import { Args, Flags } from '@oclif/core';
import { referenceSessionFlag, runDescription } from '../../../cli/flags.js';
import { readLabelFile } from '../../../cli/sessions/label-file.js';
import { StoreCommand } from '../../../cli/store-command.js';
import { escapeTerminal } from '../../../cli/terminal/terminal-text.js';
import { usualReviewer } from '../../../settings/reviewer.js';
import { findStoredRun } from '../../../store/listing/resolve-reference.js';
import { countOf } from '../../../text/count-text.js';

/** Answer of `assay sessions labels import FILE --json`. */
export interface ImportedLabelsJson {
  readonly run_id: string;
  readonly run_name: string;
  /** Labels in the file. */
  readonly labels: number;
  /** Those of them that the run did not have yet. */
  readonly added: number;
}

export default class SessionsLabelsImport extends StoreCommand {
  static override summary = 'Add labels that were made elsewhere to a run: all of a file, or none.';
  static override description =
    'CSV with a header, or a JSON object a line: index or id, key, verdict (pass, fail, unsure, skipped), and note, reviewer, rubric_version, sample, at, output_hash. Labels with a sample of the run enter its estimates.';
  static override examples = [
    '<%= config.bin %> sessions labels import labels.csv',
    '<%= config.bin %> sessions labels import labels.jsonl --run nightly --reviewer ada',
  ];
  static override args = {
    file: Args.string({ description: 'File, CSV or JSONL.', required: true }),
  };
  static override flags = {
    run: Flags.string({ description: runDescription, default: 'latest', helpValue: 'RUN' }),
    reviewer: Flags.string({
      description: 'Who made labels that name nobody. Default: the setting reviewer.',
      helpValue: 'NAME',
    }),
    session: referenceSessionFlag,
  };

  async run(): Promise<ImportedLabelsJson> {
    const { args, flags } = await this.parse(SessionsLabelsImport);
    const { settings, store } = await this.openProject(flags);
    const where = { cwd: process.cwd(), session: flags.session };
    const run = await store.openRun(await findStoredRun(store, flags.run, where));
    try {
      const { rubrics } = settings;
      const reviewer = flags.reviewer ?? usualReviewer(settings);
      this.noteProblems(run.problems);
      const labels = await readLabelFile(args.file, run, { reviewer, rubrics });
      const added = await run.addLabels(labels, rubrics);
      const there = labels.length - added;
      const others = there === 0 ? '' : `, ${there} ${there === 1 ? 'was' : 'were'} there already`;
      const { run_name } = run.header;
      this.log(`${countOf(added, 'label')} added to ${escapeTerminal(run_name)}${others}`);
      return { run_id: run.runId, run_name, labels: labels.length, added };
    } finally {
      await run.close();
    }
  }
}
