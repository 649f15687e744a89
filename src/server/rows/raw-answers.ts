import { type PlacedRow, partAt, type RowBatch } from '../../store/log/entry-reading.js';
import { type EventPlace, eventKinds } from '../../store/log/row-event-index.js';
import { asRaw, type RawAnswer, type RawLineType, type RawNeedle } from './raw-needle.js';

/** Searches the unparsed lines of a batch of rows for a text. */
export function rawAnswers(
  { parts }: RowBatch,
  needle: RawNeedle | undefined,
): (row: PlacedRow) => RawAnswer {
  if (needle === undefined) return () => 'maybe';
  const texts = parts.map(({ offset, bytes }) => ({ offset, text: asRaw(bytes) }));
  if (texts.every(({ text }) => needle.judge(text) === 'no')) {
    return ({ places }) => (isPlanned(places) ? 'no' : 'maybe');
  }
  const lineAt = ({ offset, length }: EventPlace) => {
    const part = partAt(texts, offset);
    return part?.text.slice(offset - part.offset, offset - part.offset + length) ?? '';
  };
  return ({ places }) => rowAnswer(places, needle, lineAt);
}

/** The combined answer of the lines of a row. */
function rowAnswer(
  places: readonly EventPlace[],
  needle: RawNeedle,
  lineAt: (place: EventPlace) => string,
): RawAnswer {
  const isDecided = isNeverReplaced(places);
  let answer: RawAnswer = isPlanned(places) ? 'no' : 'maybe';
  for (const place of places) {
    if (place.length === 0) continue;
    const found = needle.judge(lineAt(place), isDecided ? lineTypes.get(place.kind) : undefined);
    if (found === 'yes') return found;
    if (found === 'maybe') answer = found;
  }
  return answer;
}

const lineTypes = new Map<number, RawLineType>([
  [eventKinds.planned, 'planned'],
  [eventKinds.finished, 'finished'],
]);

/** A row without a planned line has placeholder texts. */
function isPlanned(places: readonly EventPlace[]): boolean {
  return places.some(({ kind }) => kind === eventKinds.planned);
}

/** True for a row that was planned once and finished at most once, so that no line replaces another. */
function isNeverReplaced(places: readonly EventPlace[]): boolean {
  const kinds = places.map(({ kind }) => kind).filter((kind) => kind !== eventKinds.reset);
  return (
    kinds[0] === eventKinds.planned &&
    (kinds.length === 1 || (kinds.length === 2 && kinds[1] === eventKinds.finished))
  );
}
