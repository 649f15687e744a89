/** How much of everything a client may ask for. */
export interface Limits {
  /** Bytes of a body, unless its route says otherwise. */
  readonly body: number;
  /** How deep a body may be nested. */
  readonly depth: number;
  /** Characters of a URL. */
  readonly url: number;
  /** Event streams that are open at the same time. */
  readonly eventStreams: number;
  /** Bytes by which the reader of an event stream may be behind. */
  readonly eventBacklog: number;
  /** Milliseconds between two comments in an event stream. */
  readonly heartbeat: number;
  /** Milliseconds for which the rest of a refused body is read and dropped, so that its sender gets to see the answer. */
  readonly linger: number;
}

export const defaultLimits: Limits = {
  body: 1024 * 1024,
  depth: 64,
  url: 8 * 1024,
  eventStreams: 32,
  eventBacklog: 1024 * 1024,
  heartbeat: 15_000,
  linger: 1_000,
};
