import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** What a review says about the product; the data knows no third label. */
export type Label = 'positive' | 'negative';

/** One labelled sentence of a product review, with its line in the data file (from 1). */
export interface Review {
  readonly line: number;
  readonly text: string;
  readonly label: Label;
}

const dataFile = createRequire(import.meta.url).resolve(
  'wink-sentiment/test/data/amazon_cells_labelled.txt',
);

/**
 * Reads the 1,000 labelled sentences (500 of each label) that ship with the package `wink-sentiment`.
 * A line is the sentence, a tab, and 1 for positive or 0 for negative.
 */
export function readReviews(): Review[] {
  return readFileSync(dataFile, 'utf8').trimEnd().split('\n').map(parseReview);
}

function parseReview(row: string, position: number): Review {
  const line = position + 1;
  const [text, mark, ...rest] = row.split('\t');
  if (!text || (mark !== '0' && mark !== '1') || rest.length > 0) {
    throw new Error(`${dataFile}:${line}: expected a sentence, a tab, and 0 or 1, got: ${row}`);
  }
  return { line, text, label: mark === '1' ? 'positive' : 'negative' };
}
