import { openStore } from '../../dist/store/store.js';

/** What somebody was told is saved, and what of it is there. */
export class Ledger {
  kills = 0;
  faults = 0;
  edits = 0;
  /** Sentences, each about something that is not as it must be. */
  lost = [];
  unreadable = [];
  /** Acknowledged annotations and results that were shown, by run id. */
  #known = new Map();

  #of(runId) {
    const known = this.#known.get(runId) ?? { notes: new Set(), completed: new Set() };
    this.#known.set(runId, known);
    return known;
  }

  /** An annotation was answered with 200. */
  edited(runId, text) {
    this.edits += 1;
    this.#of(runId).notes.add(text);
  }

  /** A result was shown as completed. */
  completed(runId, index) {
    this.#of(runId).completed.add(index);
  }

  /** The runs that are known are gone on purpose. */
  forget() {
    this.#known.clear();
  }

  /** Reads every run as a fresh process would and compares it with what is known of it. */
  async check(root) {
    const store = await openStore(root);
    const runs = await store.listRuns();
    this.unreadable.push(...store.warnings);
    const listed = new Set(runs.map((run) => run.run_id));
    for (const runId of this.#known.keys()) {
      if (!listed.has(runId)) this.lost.push(`run ${runId} is not listed`);
    }
    for (const { run_id } of runs) await this.#checkRun(store, run_id);
  }

  async #checkRun(store, runId) {
    const run = await store.openRun(runId);
    try {
      if (run.state === 'running') this.lost.push(`run ${runId} still reads as running`);
      const { notes, completed } = this.#of(runId);
      const left = new Set(notes);
      for await (const { index, entry } of run.entries()) {
        const { status, output, correction_history } = entry.result;
        for (const { after } of correction_history) left.delete(after);
        if (completed.has(index) && status !== 'completed') {
          this.lost.push(`result ${index} of ${runId} was completed and is ${status}`);
        }
        if (status === 'completed' && output !== `output ${index}`) {
          this.lost.push(`result ${index} of ${runId} has another output: ${output}`);
        }
      }
      for (const note of left) this.lost.push(`edit "${note}" of ${runId} is not there`);
    } finally {
      await run.close();
    }
  }
}
