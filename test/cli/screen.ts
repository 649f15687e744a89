import { Writable } from 'node:stream';

/** A stream that keeps what is written to it, with the width of a terminal. */
export class Screen extends Writable {
  columns: number;
  text = '';

  constructor(columns = 80) {
    super({ decodeStrings: false });
    this.columns = columns;
  }

  get lines(): string[] {
    return this.text.split('\n');
  }

  resize(columns: number): void {
    this.columns = columns;
    this.emit('resize');
  }

  override _write(chunk: string, _encoding: string, done: () => void): void {
    this.text += chunk;
    done();
  }
}
