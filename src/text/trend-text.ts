import type { Bounds } from '../statistics/bounds.js';
import { correctedTexts, type ShownCorrected } from './calibration-text.js';
import { figureText, withSign } from './number-text.js';
import { scoreName } from './score-name.js';
import { boundsText, percentText, pointsText } from './share-text.js';

/** A figure of a run: of verdicts (`ratio`) a share, else a number. */
interface Figure extends Bounds {
  readonly estimate: number;
  readonly is_p50?: true;
}

type Type = 'ratio' | 'avg';

/** `80.2 %`, `.86`, of values without a scale `p50 412`. */
export function trendValueText({ estimate, is_p50 }: Figure, type: Type): string {
  if (type === 'ratio') return `${percentText(estimate)} %`;
  return is_p50 ? `p50 ${figureText(estimate)}` : figureText(estimate);
}

/** `74.9–84.6`; a dash if unknown. */
export function trendBoundsText(bounds: Bounds | null, type: Type): string {
  if (bounds === null || bounds.low === null || bounds.high === null) return '–';
  if (type === 'ratio') return boundsText(bounds);
  return `${figureText(bounds.low)}–${figureText(bounds.high)}`;
}

/** `−8.0`: percentage points of shares, else the number. */
export function trendChangeText(difference: number, type: Type): string {
  if (type === 'ratio') return pointsText(difference);
  return withSign(difference, figureText(Math.abs(difference)));
}

/** How many runs are in a trend, and of which config: `50 of 212 runs · the line joins 44 of config default`. */
export function trendSizeText(shown: number, total: number, joined: number, config: string | null) {
  const runs = total === 1 ? 'run' : 'runs';
  const all = shown === total ? `${total} ${runs}` : `${shown} of ${total} ${runs}`;
  return config === null
    ? `${all} · none has finished`
    : `${all} · the line joins ${joined} of config ${config}`;
}

/** Where a figure lies that is outside of its limits: `above its limits 57.3–71.5`. */
export function outsideText(outside: 'above' | 'below', limits: Bounds | null, type: Type): string {
  return `${outside} its limits ${trendBoundsText(limits, type)}`;
}

/** A slow drift: `drifts down: no single step shows it`. */
export function driftText(drift: 'up' | 'down'): string {
  return `drifts ${drift}: no single step shows it`;
}

/** What there is to know of all of a trend. */
interface NotedTrend {
  readonly baseline: { readonly run_name: string } | null;
  readonly no_limits?: string;
  readonly unreadable: readonly string[];
  readonly runs: readonly {
    readonly on_line: boolean;
    readonly corrected?: readonly (ShownCorrected & { readonly key: string })[];
  }[];
}

/** From where limits count, what is not on the line, rates without the mistakes of judges, what cannot be read. */
export function trendNotes({ runs, baseline, unreadable, no_limits }: NotedTrend): string[] {
  const line = runs.filter(({ on_line }) => on_line);
  const apart = runs.length - line.length;
  return [
    ...(baseline && no_limits === undefined
      ? [`limits count from ${baseline.run_name} on, once each case has 5 values before`]
      : []),
    ...(no_limits === undefined ? [] : [`no limits: ${no_limits}`]),
    ...(apart === 0
      ? []
      : [`${apart} not on the line: other config, params or cases, or not finished`]),
    ...(line.at(-1)?.corrected ?? []).map((score) => {
      const texts = correctedTexts(score);
      return `${scoreName(score.key)} corrected for the mistakes of its judge: ${[texts.value, texts.interval].join(' ').trim()} (${texts.of})`;
    }),
    ...(unreadable.length === 0 ? [] : [`cannot be read: ${unreadable.join(', ')}`]),
  ];
}
