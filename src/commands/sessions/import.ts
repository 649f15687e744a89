import { Args, Flags } from '@oclif/core';
import { StoreCommand } from '../../cli/store-command.js';
import { escapeTerminal } from '../../cli/terminal/terminal-text.js';
import { AssayError } from '../../errors.js';
import { namingFile, readRunDocument } from '../../store/exported/read-exported-run.js';
import { countOf } from '../../text/count-text.js';

/** Answer of `assay sessions import FILE --json`. */
export interface ImportedRunJson {
  readonly run_id: string;
  readonly run_name: string;
  readonly session_name: string;
  readonly total_evaluations: number;
}

export default class SessionsImport extends StoreCommand {
  static override summary = 'Save an exported run JSON as a run.';
  static override description =
    'The run keeps its id unless a saved run has it, and its session unless another one is named.';
  static override examples = [
    '<%= config.bin %> sessions import colleague.json',
    '<%= config.bin %> sessions import nightly.json --session nightly',
  ];
  static override args = {
    file: Args.string({
      description: 'File made by export -f json or run --json.',
      required: true,
    }),
  };
  static override flags = {
    session: Flags.string({ description: 'Session to save it in.', helpValue: 'NAME' }),
  };

  async run(): Promise<ImportedRunJson> {
    const { args, flags } = await this.parse(SessionsImport);
    const store = await this.openResults(flags);
    const document = await readRunDocument(args.file, args.file);
    const options = flags.session === undefined ? {} : { session: flags.session };
    const imported = await store.importRun(document, options).catch((error: unknown) => {
      throw error instanceof AssayError ? namingFile(args.file, error) : error;
    });
    const run = await store.openRun(imported.run_id);
    const total_evaluations = run.rows.length;
    await run.close();
    const { run_id, run_name, session_name } = imported;
    const [name, session] = [run_name, session_name].map(escapeTerminal);
    const results = countOf(total_evaluations, 'result');
    this.log(`${name} (${results}) saved as ${run_id} in session ${session}`);
    return { run_id, run_name, session_name, total_evaluations };
  }
}
