import { escapeLines, escapeTerminal } from '../terminal/terminal-text.js';

// A longer line is shown before it ends.
const longestKept = 8192;
// But its end is held back, because it may be the beginning of a secret.
const longestSecret = 1024;

/** Assembles printed output into whole lines, prefixed with the name of the evaluation. */
export class PrintedLines {
  readonly #nameOf: (index: number) => string;
  readonly #redact: (text: string) => string;
  /** Incomplete lines by evaluation and stream. */
  readonly #begun = new Map<number | undefined, Map<string, string>>();

  /** `redact` removes secrets; it gets whole lines, because a secret may arrive in several pieces. */
  constructor(nameOf: (index: number) => string, redact: (text: string) => string) {
    this.#nameOf = nameOf;
    this.#redact = redact;
  }

  /** Adds text and returns the completed lines. */
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

  /** The incomplete lines of an evaluation that has ended. */
  finish(index: number | undefined): string[] {
    const begun = this.#begun.get(index);
    if (begun === undefined) return [];
    this.#begun.delete(index);
    return [...begun.values()].flatMap((text) => this.#label(index, text));
  }

  /** The incomplete lines of all evaluations. */
  finishAll(): string[] {
    return [...this.#begun.keys()].flatMap((index) => this.finish(index));
  }

  #label(index: number | undefined, text: string): string[] {
    const name = index === undefined ? '' : `${escapeTerminal(this.#nameOf(index))} │ `;
    return escapeLines(this.#redact(text).replace(/\r?\n$/, '')).map((line) => `${name}${line}`);
  }
}
