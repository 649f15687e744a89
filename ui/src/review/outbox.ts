import { messageOf, ServerGone } from '../api/problem.js';

/** What a reviewer can say of a result. */
export type LabelVerdict = 'pass' | 'fail' | 'unsure' | 'skipped';

/** What a judge said, known once the reviewer has said something. */
export interface JudgeVerdict {
  /** Absent if it gave no verdict. */
  readonly passed?: boolean | undefined;
  readonly value?: number | undefined;
  readonly notes?: string | undefined;
}

/** A label as it is given. `verdict` is `null` to take the one before back. */
export interface LabelToSend {
  readonly index: number;
  readonly key: string;
  readonly verdict: LabelVerdict | null;
  readonly note: string;
}

/** A label that was given on this page, and what became of it. */
export interface SentLabel extends LabelToSend {
  readonly id: number;
  readonly state: 'waiting' | 'saved' | 'refused';
  /** From the answer of the server; `null` if there is none. */
  readonly judge?: JudgeVerdict | null;
  /** Why the server refused it. */
  readonly problem?: string;
}

/** The labels of this page. */
export interface OutboxState {
  /** Oldest first; those that have been saved for long are left out. */
  readonly labels: readonly SentLabel[];
  /** The server did not answer; the labels are sent again. */
  readonly isAway: boolean;
  readonly canUndo: boolean;
}

/** A label and what was there before it; `undefined` for nothing. */
interface Change {
  readonly label: LabelToSend;
  readonly before: LabelToSend | undefined;
}

/** Milliseconds until labels are sent again, by the number of attempts. */
const delays = [500, 1000, 2000, 4000];
/** Saved labels that are remembered. */
const mostSaved = 20;

/** Sends labels one after the other, and keeps them while the server does not answer. A store for `useSyncExternalStore`. */
export class Outbox {
  #now: OutboxState = { labels: [], isAway: false, canUndo: false };
  #lastId = 0;
  #attempts = 0;
  #isSending = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #steps: (readonly Change[])[] = [];
  readonly #watchers = new Set<() => void>();
  readonly #send: (label: LabelToSend) => Promise<JudgeVerdict | null>;

  /** `send` answers with what the judge said. */
  constructor(send: (label: LabelToSend) => Promise<JudgeVerdict | null>) {
    this.#send = send;
  }

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  readonly read = (): OutboxState => this.#now;

  /** Sends labels, which one `undo` takes back together. */
  give(step: readonly Change[]): void {
    this.#steps.push(step);
    this.#add(step.map(({ label }) => label));
  }

  /** Takes the last step back; answers with its first label. */
  undo(): LabelToSend | undefined {
    const step = this.#steps.pop();
    if (step === undefined) return undefined;
    this.#add(step.map(({ label, before }) => before ?? { ...label, verdict: null, note: '' }));
    return step[0]?.label;
  }

  /** Sends what waits now. */
  readonly retry = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    void this.#sendNext();
  };

  /** Forgets the labels that the server refused. */
  readonly dismiss = (): void => {
    this.#set({ labels: this.#now.labels.filter(({ state }) => state !== 'refused') });
  };

  #add(labels: readonly LabelToSend[]): void {
    const added = labels.map((label): SentLabel => {
      this.#lastId += 1;
      return { ...label, id: this.#lastId, state: 'waiting' };
    });
    this.#set({ labels: [...this.#now.labels, ...added] });
    if (this.#timer === undefined) void this.#sendNext();
  }

  async #sendNext(): Promise<void> {
    if (this.#isSending) return;
    const next = this.#now.labels.find(({ state }) => state === 'waiting');
    if (next === undefined) return;
    this.#isSending = true;
    try {
      const judge = await this.#send(next);
      this.#change(next.id, { state: 'saved', judge });
    } catch (error) {
      if (error instanceof ServerGone) this.#waitForServer();
      else this.#change(next.id, { state: 'refused', problem: messageOf(error) });
    }
    this.#isSending = false;
    if (this.#timer === undefined) void this.#sendNext();
  }

  #waitForServer(): void {
    const delay = delays[Math.min(this.#attempts, delays.length - 1)];
    this.#attempts += 1;
    this.#timer = setTimeout(this.retry, delay);
    this.#set({ isAway: true });
  }

  #change(id: number, part: Partial<SentLabel>): void {
    this.#attempts = 0;
    const labels = this.#now.labels.map((one) => (one.id === id ? { ...one, ...part } : one));
    const saved = labels.filter(({ state }) => state === 'saved').slice(-mostSaved);
    this.#set({
      labels: labels.filter((one) => one.state !== 'saved' || saved.includes(one)),
      isAway: false,
    });
  }

  #set(part: Partial<OutboxState>): void {
    this.#now = { ...this.#now, ...part, canUndo: this.#steps.length > 0 };
    for (const watcher of this.#watchers) watcher();
  }
}
