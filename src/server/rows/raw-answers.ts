import { type PlacedRow, partAt, type RowBatch } from '../../store/entry-reading.js';
import { type EventPlace, eventKinds } from '../../store/row-events.js';
import { asRaw, type RawAnswer, type RawLineType, type RawNeedle } from './raw-needle.js';

/** Tells of each row of a batch whether it holds a text, as far as the bytes of its lines do. */
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

/** What the lines of a row tell together. */
function rowAnswer(
  places: readonly EventPlace[],
  needle: RawNeedle,
  lineAt: (place: EventPlace) => string,
): RawAnswer {
  const isDecided = isNeverReplaced(places);
  let answer: RawAnswer = isPlanned(places) ? 'no' : 'maybe';
  for (const place of places) {
    if (place.length === 0) continue;
    const told = needle.judge(lineAt(place), isDecided ? lineTypes.get(place.kind) : undefined);
    if (told === 'yes') return told;
    if (told === 'maybe') answer = told;
  }
  return answer;
}

const lineTypes = new Map<number, RawLineType>([
  [eventKinds.planned, 'planned'],
  [eventKinds.finished, 'finished'],
]);

/** The texts of a row without a planned line are made up. */
function isPlanned(places: readonly EventPlace[]): boolean {
  return places.some(({ kind }) => kind === eventKinds.planned);
}

/** True for a row that was planned once and finished once at most: no line takes back what another says. */
function isNeverReplaced(places: readonly EventPlace[]): boolean {
  const kinds = places.map(({ kind }) => kind).filter((kind) => kind !== eventKinds.reset);
  return (
    kinds[0] === eventKinds.planned &&
    (kinds.length === 1 || (kinds.length === 2 && kinds[1] === eventKinds.finished))
  );
}
