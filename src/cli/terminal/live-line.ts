import { widthOf } from './terminal-text.js';

/** The parts of a terminal's stream that a live line needs. */
export interface LineStream {
  write(text: string): unknown;
  /** Absent if it is not a terminal. */
  readonly columns?: number | undefined;
  /** True when the terminal does not keep up. */
  readonly writableNeedDrain?: boolean | undefined;
  on(event: 'resize', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
}

// About 15 frames per second.
const redrawMilliseconds = 66;

/** A line at the bottom of a terminal that is redrawn repeatedly; other text goes above it. */
export class LiveLine {
  readonly #stream: LineStream;
  readonly #render: () => string;
  #timer: NodeJS.Timeout | undefined;
  #shown = '';

  /** `render` returns one line, narrower than the terminal. */
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

  /** Prints text that ends with a newline above the live line. */
  printAbove(text: string): void {
    const line = this.#timer === undefined ? '' : this.#render();
    this.#stream.write(this.#eraser() + text + line);
    this.#shown = line;
  }

  /** Removes the line. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#stream.off('resize', this.#redraw);
    const eraser = this.#eraser();
    if (eraser !== '') this.#stream.write(eraser);
    this.#shown = '';
  }

  #tick(): void {
    // Skip a frame if the terminal does not keep up.
    if (this.#stream.writableNeedDrain !== true) this.#redraw();
  }

  #redraw = (): void => {
    const line = this.#render();
    if (line === this.#shown) return;
    this.#stream.write(this.#eraser() + line);
    this.#shown = line;
  };

  /** After the terminal has become narrower, the line may occupy several rows. */
  #eraser(): string {
    if (this.#shown === '') return '';
    const rows = Math.ceil(widthOf(this.#shown) / (this.#stream.columns || 80));
    return `${rows > 1 ? `\x1b[${rows - 1}A` : ''}\r\x1b[J`;
  }
}
