import { withRows } from './patch-rows.js';
import type { LightRow, RowPage } from './schema.js';

/** Rows that events tell of while pages are on their way: an answer that was asked for before must not undo them. */
export class RowNews {
  readonly #told: { readonly run: string; readonly rows: readonly LightRow[] }[] = [];
  #reading = 0;

  /** Notes rows as they are now. */
  tell(run: string, rows: readonly LightRow[]): void {
    if (this.#reading > 0) this.#told.push({ run, rows });
  }

  /** Reads a page, and puts into it what was told meanwhile. */
  async read<P extends RowPage>(run: string, page: () => Promise<P>): Promise<P> {
    const before = this.#told.length;
    this.#reading += 1;
    try {
      const read = await page();
      const news = this.#told.slice(before).filter((told) => told.run === run);
      return withRows(
        read,
        news.flatMap(({ rows }) => rows),
      );
    } finally {
      this.#reading -= 1;
      if (this.#reading === 0) this.#told.length = 0;
    }
  }
}
