/** Limits for clients. */
export interface Limits {
  /** Bytes of a body, unless its route has another limit. */
  readonly body: number;
  /** Maximum nesting of a body. */
  readonly depth: number;
  /** Characters of a URL. */
  readonly url: number;
  /** Concurrent event streams. */
  readonly eventStreams: number;
  /** Bytes that the reader of an event stream may lag behind. */
  readonly eventBacklog: number;
  /** Milliseconds between two comments in an event stream. */
  readonly heartbeat: number;
  /**
   * Milliseconds during which the rest of a refused body is read and dropped, so that its sender receives the
   * answer.
   */
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
