declare module 'vader-sentiment' {
  interface PolarityScores {
    readonly neg: number;
    readonly neu: number;
    readonly pos: number;
    /** From -1 to 1. */
    readonly compound: number;
  }
  const vader: {
    readonly SentimentIntensityAnalyzer: { polarity_scores(text: string): PolarityScores };
  };
  export default vader;
}

declare module 'wink-sentiment' {
  interface Sentiment {
    readonly score: number;
    readonly normalizedScore: number;
  }
  export default function wink(text: string): Sentiment;
}
