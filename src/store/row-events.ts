/** What a row remembers of each event: which kind, and where its line is. */
export const eventKinds = {
  planned: 0,
  finished: 1,
  regraded: 2,
  edited: 3,
  imported: 4,
  reset: 5,
  cancelled: 6,
  pruned: 7,
  calls: 8,
  late_calls: 9,
} as const;

/** One event of a row; `length` is 0 for the kinds that have no line of their own. */
export interface EventPlace {
  readonly kind: number;
  /** Byte offset of the line in the log. */
  readonly offset: number;
  /** Bytes of the line, without its line end. */
  readonly length: number;
}

/** Events of a row in order, three numbers each: kind, offset, length. A list of objects would weigh five times as much. */
export type PackedEvents = readonly number[];

/** The events and one more. A copy, because earlier snapshots of the row keep theirs. */
export function withEvent(events: PackedEvents, place: EventPlace): PackedEvents {
  const { length } = events;
  // A list that grows by itself takes room for a dozen more.
  const longer = new Array<number>(length + 3);
  for (let at = 0; at < length; at += 1) longer[at] = events[at] as number;
  longer[length] = place.kind;
  longer[length + 1] = place.offset;
  longer[length + 2] = place.length;
  return longer;
}

/** The events that have to be replayed to know a row as it is now, or with all its attempts; never its calls. */
export function eventsToReplay(events: PackedEvents, withAttempts: boolean): EventPlace[] {
  const places: EventPlace[] = [];
  let isCorrected = false;
  let wasCorrected = false;
  let lastReset = -1;
  let lastPlan = -1;
  for (let at = 0; at + 2 < events.length; at += 3) {
    const place = placeAt(events, at);
    if (place.kind === eventKinds.calls) continue;
    if (place.kind === eventKinds.regraded || place.kind === eventKinds.edited) isCorrected = true;
    if (place.kind === eventKinds.reset) {
      wasCorrected = isCorrected;
      lastReset = places.length;
    }
    if (place.kind === eventKinds.planned) lastPlan = places.length;
    places.push(place);
  }
  if (withAttempts) return places;
  // A result of an earlier attempt matters to the present only as what a correction of it replaced.
  return places.filter(
    ({ kind }, position) =>
      !(kind === eventKinds.planned && position < lastPlan) &&
      !(kind === eventKinds.finished && position < lastReset && !wasCorrected),
  );
}

/** Where the calls of a row are: of its last attempt, and those that ended after it. */
export function placesOfCalls(events: PackedEvents): EventPlace[] {
  let places: EventPlace[] = [];
  let next: EventPlace | undefined;
  for (let at = 0; at + 2 < events.length; at += 3) {
    const place = placeAt(events, at);
    if (place.kind === eventKinds.calls) next = place;
    else if (place.kind === eventKinds.late_calls) places.push(place);
    else if (endsCalls.has(place.kind)) {
      places = next === undefined || place.kind === eventKinds.reset ? [] : [next];
      next = undefined;
    }
  }
  return places;
}

const endsCalls = new Set<number>([
  eventKinds.reset,
  eventKinds.finished,
  eventKinds.regraded,
  eventKinds.imported,
]);

function placeAt(events: PackedEvents, at: number): EventPlace {
  // The caller's loop stays inside the list.
  return {
    kind: events[at] as number,
    offset: events[at + 1] as number,
    length: events[at + 2] as number,
  };
}
