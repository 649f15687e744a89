import { escapeLines, escapeTerminal } from '../terminal/terminal-text.js';

// A line without an end is not kept back for ever.
const longestKept = 8192;
// But its end is: it may be the beginning of a secret.
const longestSecret = 1024;

/** Makes whole lines of what evaluations print, each with the name of its evaluation in front. */
export class PrintedLines {
  readonly #nameOf: (index: number) => string;
  readonly #redact: (text: string) => string;
  /** Begun lines of every evaluation that has some, by stream. */
  readonly #begun = new Map<number | undefined, Map<string, string>>();

  /** `redact` takes secrets out; in lines, because a secret may come in several pieces. */
  constructor(nameOf: (index: number) => string, redact: (text: string) => string) {
    this.#nameOf = nameOf;
    this.#redact = redact;
  }

  /** The lines that are complete with this text. */
  add(index: number | undefined, stream: string, text: string): string[] {
    const begun = this.#begun.get(index) ?? new Map<string, string>();
    let all = (begun.get(stream) ?? '') + text;
    let end = all.lastIndexOf('\n') + 1;
    if (all.length - end > longestKept) {
      all = this.#redact(all);
      end = all.length - longestSecret;
    }
    if (end < all.length) begun.set(stream, all.slice(end));
    else begun.delete(stream);
    if (begun.size > 0) this.#begun.set(index, begun);
    else this.#begun.delete(index);
    return end === 0 ? [] : this.#label(index, all.slice(0, end));
  }

  /** What an evaluation that has ended left without a line end. */
  finish(index: number | undefined): string[] {
    const begun = this.#begun.get(index);
    if (begun === undefined) return [];
    this.#begun.delete(index);
    return [...begun.values()].flatMap((text) => this.#label(index, text));
  }

  /** What all that have not ended left without a line end. */
  finishAll(): string[] {
    return [...this.#begun.keys()].flatMap((index) => this.finish(index));
  }

  #label(index: number | undefined, text: string): string[] {
    const name = index === undefined ? '' : `${escapeTerminal(this.#nameOf(index))} │ `;
    return escapeLines(this.#redact(text).replace(/\r?\n$/, '')).map((line) => `${name}${line}`);
  }
}
