import type { Bounds } from '../statistics/bounds.js';
import { figureText, withSign } from './number-text.js';
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
