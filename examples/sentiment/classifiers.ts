import type { Label } from './reviews.js';

/** Scores a text: above 0 is friendly, below 0 is not, 0 is neutral or unknown. */
type Scorer = (text: string) => number;

const scorers = {
  sentiment: async (): Promise<Scorer> => {
    const { default: Sentiment } = await import('sentiment');
    const analyzer = new Sentiment();
    return (text) => analyzer.analyze(text).score;
  },
  vader: async (): Promise<Scorer> => {
    const { default: vader } = await import('vader-sentiment');
    return (text) => vader.SentimentIntensityAnalyzer.polarity_scores(text).compound;
  },
  wink: async (): Promise<Scorer> => {
    const { default: wink } = await import('wink-sentiment');
    return (text) => wink(text).score;
  },
};

/** The name of a classifier this example knows. */
export type Model = keyof typeof scorers;

const loaded = new Map<Model, Promise<Scorer>>();

/** Reads the name of a classifier from a run config's params; without one it is `sentiment`. */
export function parseModel(value: unknown = 'sentiment'): Model {
  if (typeof value === 'string' && Object.hasOwn(scorers, value)) return value as Model;
  throw new Error(
    `params.model is one of ${Object.keys(scorers).join(', ')}, not ${String(value)}`,
  );
}

/**
 * Classifies a text with the named model; its package is loaded on first use.
 * The data has two labels, the classifiers a scale: a score above 0 is positive, everything else, neutral included, is negative.
 */
export async function classify(model: Model, text: string): Promise<Label> {
  const scorer = loaded.get(model) ?? scorers[model]();
  loaded.set(model, scorer);
  return (await scorer)(text) > 0 ? 'positive' : 'negative';
}
