import type { RunEvent } from '../../runner/events.js';
import type { Started } from '../../runner/execution/begin-execution.js';
import { firstTaskOf, placeOfTask, rowOfTask } from '../../runner/variants/group-work.js';
import type { StoredRun } from '../../store/stored-run.js';
import { countOf } from '../../text/count-text.js';
import { escapeTerminal } from '../terminal/terminal-text.js';
import { ProgressOutput, type RunOutputOptions } from './run-output.js';

/** Runs of one command that have begun, that of the base first. */
export interface BegunGroup {
  readonly name: string;
  readonly runs: readonly StoredRun[];
  /** `undefined` for one that has nothing to do. */
  readonly started: readonly (Started | undefined)[];
}

type Opened = Extract<RunEvent, { type: 'opened' }>;

/** What runs of one command say on stderr while they are executed together: as one execution. */
export class GroupOutput extends ProgressOutput {
  /** By place in the group, once they have begun. */
  readonly runs: StoredRun[] = [];
  readonly #count: number;
  readonly #opened: Opened[] = [];
  readonly #said = new Set<string>();
  #cases: number | undefined;

  constructor(options: Pick<RunOutputOptions, 'verbose'>, count: number) {
    super({ ...options, withHeading: false });
    this.#count = count;
  }

  /** Takes what happens in the run at a place. What concerns all is said once. */
  onEventOf(event: RunEvent, place: number): void {
    switch (event.type) {
      case 'discovered':
        if (place !== 0) return;
        this.#cases = event.evaluations;
        this.onEvent(event);
        return;
      case 'opened':
        this.#opened.push(event);
        if (this.#opened.length === this.#count) this.#open();
        return;
      case 'finished':
        this.onEvent({
          ...event,
          results: event.results.map((one) => ({ ...one, index: firstTaskOf(place) + one.index })),
        });
        return;
      case 'printed':
        this.onEvent(
          event.index === undefined ? event : { ...event, index: firstTaskOf(place) + event.index },
        );
        return;
      case 'warned':
        if (this.#said.has(event.text)) return;
        this.#said.add(event.text);
        this.onEvent(event);
        return;
      case 'started':
      case 'returned':
      case 'touched':
        return;
      default:
        if (place === 0) this.onEvent(event);
    }
  }

  #open(): void {
    const [first] = this.#opened;
    if (first === undefined) return;
    const sum = (of: (one: Opened) => number) =>
      this.#opened.reduce((all, one) => all + of(one), 0);
    const regraded = this.#opened.flatMap(({ regraded: rows = [] }, place) =>
      rows.map((index) => firstTaskOf(place) + index),
    );
    const { group } = first;
    const rows = sum((one) => one.rows);
    const selected = sum((one) => one.selected);
    this.say(
      [
        this.#sizeText(rows, selected),
        `session ${escapeTerminal(first.session_name)}`,
        ...(group === undefined ? [] : [`group ${escapeTerminal(group)}`]),
      ].join(' · '),
    );
    this.onEvent({
      ...first,
      selected,
      rows,
      ...(regraded.length > 0 && { regraded }),
    });
  }

  /** `60 cases × 5 trials × 2 variants`; of other trials in each `60 cases × 2 variants, 360 results`; of saved runs `18 results of 2 variants`. */
  #sizeText(rows: number, selected: number): string {
    const variants = countOf(this.#count, 'variant');
    const cases = this.#cases ?? 0;
    if (cases === 0) return `${countOf(selected, 'result')} of ${variants}`;
    const isUnequal = this.#opened.some((one) => one.rows !== this.#opened[0]?.rows);
    if (isUnequal) return `${countOf(cases, 'case')} × ${variants}, ${countOf(rows, 'result')}`;
    const trials = rows / (cases * this.#count);
    const isRepeated = Number.isInteger(trials) && trials > 1;
    const repeated = isRepeated ? [countOf(trials, 'trial')] : [];
    return [countOf(cases, 'case'), ...repeated, variants].join(' × ');
  }

  /** `refunds[c1] · large v15` */
  protected override nameOf(task: number): string {
    const run = this.runs[placeOfTask(task)];
    if (run === undefined) return '';
    return `${this.nameIn(run.rows, rowOfTask(task))} · ${run.header.run_name}`;
  }
}
