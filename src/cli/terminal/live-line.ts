import { widthOf } from './terminal-text.js';

/** What a live line needs of a terminal's stream. */
export interface LineStream {
  write(text: string): unknown;
  /** Absent when it is no terminal. */
  readonly columns?: number | undefined;
  /** The terminal does not keep up. */
  readonly writableNeedDrain?: boolean | undefined;
  on(event: 'resize', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
}

// About 15 pictures a second.
const redrawMilliseconds = 66;

/** One line at the bottom of a terminal that is drawn again and again; other text goes above it. */
export class LiveLine {
  readonly #stream: LineStream;
  readonly #render: () => string;
  #timer: NodeJS.Timeout | undefined;
  #shown = '';

  /** `render` gives one line, shorter than the terminal is wide. */
  constructor(stream: LineStream, render: () => string) {
    this.#stream = stream;
    this.#render = render;
  }

  start(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#tick(), redrawMilliseconds);
    this.#timer.unref();
    this.#stream.on('resize', this.#redraw);
    this.#redraw();
  }

  /** Prints text that ends with a line end above the live line. */
  printAbove(text: string): void {
    const line = this.#timer === undefined ? '' : this.#render();
    this.#stream.write(this.#eraser() + text + line);
    this.#shown = line;
  }

  /** Takes the line away. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#stream.off('resize', this.#redraw);
    const eraser = this.#eraser();
    if (eraser !== '') this.#stream.write(eraser);
    this.#shown = '';
  }

  #tick(): void {
    // A picture that nobody takes is not worth waiting for.
    if (this.#stream.writableNeedDrain !== true) this.#redraw();
  }

  #redraw = (): void => {
    const line = this.#render();
    if (line === this.#shown) return;
    this.#stream.write(this.#eraser() + line);
    this.#shown = line;
  };

  /** In a terminal that has become narrower, the line may stand on several rows. */
  #eraser(): string {
    if (this.#shown === '') return '';
    const rows = Math.ceil(widthOf(this.#shown) / (this.#stream.columns || 80));
    return `${rows > 1 ? `\x1b[${rows - 1}A` : ''}\r\x1b[J`;
  }
}
