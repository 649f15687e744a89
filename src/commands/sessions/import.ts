import { Args, Flags } from '@oclif/core';
import { StoreCommand } from '../../cli/store-command.js';
import { escapeTerminal } from '../../cli/terminal/terminal-text.js';
import { AssayError } from '../../errors.js';
import { readResults } from '../../importers/read-results.js';
import { countsOf, toDocuments } from '../../importers/to-documents.js';
import { namingFile } from '../../store/exported/read-exported-run.js';
import type { Store } from '../../store/store.js';
import { countOf, renderCount } from '../../text/count-text.js';

/** Answer of `assay sessions import FILE --json`: the first run, and all runs if the file is of another tool. */
export interface ImportedRunJson {
  readonly run_id: string;
  readonly run_name: string;
  readonly session_name: string;
  readonly total_evaluations: number;
  /** Absent for an exported run of assay; so are the next two. */
  readonly tool?: string;
  readonly runs?: readonly Omit<ImportedRunJson, 'runs' | 'tool' | 'unplaced'>[];
  /** Names of fields that have no place in a run. */
  readonly unplaced?: readonly string[];
}

interface ImportOptions {
  readonly session?: string;
}

export default class SessionsImport extends StoreCommand {
  static override summary = 'Save an exported run JSON, or results of another tool.';
  static override description = [
    'An exported run keeps its id unless a saved run has it, and its session unless another one is named.',
    '',
    'Also reads results of promptfoo (eval -o out.json), Inspect (.eval and .json logs), EZVals (run JSON) and Braintrust (events of an experiment). The content of the file decides, not its name.',
  ].join('\n');
  static override examples = [
    '<%= config.bin %> sessions import colleague.json',
    '<%= config.bin %> sessions import nightly.json --session nightly',
    '<%= config.bin %> sessions import promptfoo-out.json --session migration',
  ];
  static override args = {
    file: Args.string({
      description: 'File made by export -f json or run --json, or by another tool.',
      required: true,
    }),
  };
  static override flags = {
    session: Flags.string({ description: 'Session to save it in.', helpValue: 'NAME' }),
  };

  async run(): Promise<ImportedRunJson> {
    const { args, flags } = await this.parse(SessionsImport);
    const store = await this.openResults(flags);
    const options = flags.session === undefined ? {} : { session: flags.session };
    try {
      return await this.#import(args.file, store, options);
    } catch (error) {
      throw error instanceof AssayError ? namingFile(args.file, error) : error;
    }
  }

  async #import(file: string, store: Store, options: ImportOptions): Promise<ImportedRunJson> {
    const read = await readResults(file);
    if (read.kind === 'own') {
      const imported = await store.importRun(read.document, options);
      const run = await store.openRun(imported.run_id);
      const total_evaluations = run.rows.length;
      await run.close();
      return this.#saved({ ...imported, total_evaluations });
    }
    const { foreign } = read;
    const documents = toDocuments(foreign);
    const imported = await store.importRuns(documents, options);
    const { total, passed, failed, errors } = countsOf(documents);
    const [tool, name] = [foreign.tool, foreign.name].map(escapeTerminal);
    const counts = [`${renderCount(passed)} passed`, `${renderCount(failed)} failed`];
    if (errors > 0) counts.push(countOf(errors, 'error'));
    this.log(`imported ${countOf(total, 'result')} of ${tool} (${name}): ${counts.join(', ')}`);
    const runs = imported.map(({ run_id, run_name, session_name }, at) => {
      const total_evaluations = documents[at]?.results.length ?? 0;
      return this.#saved({ run_id, run_name, session_name, total_evaluations });
    });
    const { unplaced, note } = foreign;
    if (unplaced.length > 0) {
      const fields = countOf(unplaced.length, 'field');
      this.log(`${fields} without a place: ${unplaced.map(escapeTerminal).join(', ')}`);
    }
    if (note !== undefined) this.log(escapeTerminal(note));
    const [first] = runs;
    if (first === undefined) throw new Error('A file of another tool has at least one run.');
    return { ...first, tool: foreign.tool, runs, unplaced };
  }

  #saved(run: ImportedRunJson): ImportedRunJson {
    const [name, session] = [run.run_name, run.session_name].map(escapeTerminal);
    const results = countOf(run.total_evaluations, 'result');
    this.log(`${name} (${results}) saved as ${run.run_id} in session ${session}`);
    const { run_id, run_name, session_name, total_evaluations } = run;
    return { run_id, run_name, session_name, total_evaluations };
  }
}
