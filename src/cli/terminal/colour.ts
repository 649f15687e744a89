import { Chalk, type ChalkInstance, supportsColor, supportsColorStderr } from 'chalk';

/** Colours for a stream of the process; none with `NO_COLOR`, which chalk ignores. */
export function coloursFor(stream: 'stdout' | 'stderr'): ChalkInstance {
  const support = stream === 'stdout' ? supportsColor : supportsColorStderr;
  const refused = (process.env.NO_COLOR ?? '') !== '';
  return new Chalk({ level: refused || support === false ? 0 : support.level });
}
