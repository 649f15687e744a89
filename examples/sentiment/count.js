// Counts what each classifier gets right, without assay and without the code of the example beside it.
// node examples/sentiment/count.js [sentiment|vader|wink]
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const file = require.resolve('wink-sentiment/test/data/amazon_cells_labelled.txt');
const rows = readFileSync(file, 'utf8').split('\n').filter(Boolean);

const Sentiment = require('sentiment');
const { SentimentIntensityAnalyzer } = require('vader-sentiment');
const wink = require('wink-sentiment');
const scores = {
  sentiment: (text) => new Sentiment().analyze(text).score,
  vader: (text) => SentimentIntensityAnalyzer.polarity_scores(text).compound,
  wink: (text) => wink(text).score,
};

for (const model of process.argv[2] ? [process.argv[2]] : Object.keys(scores)) {
  let correct = 0;
  for (const row of rows) {
    const tab = row.lastIndexOf('\t');
    const positive = scores[model](row.slice(0, tab)) > 0;
    if (positive === (row.slice(tab + 1) === '1')) correct += 1;
  }
  console.log(`${model} ${correct} of ${rows.length}`);
}
