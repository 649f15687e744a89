import { renderCount } from './count-text.js';

/** A duration in seconds: `0.4 s`, `59.9 s`, `2 min 5 s`, `1 h 2 min`. */
export function renderElapsed(seconds: number): string {
  if (seconds < 59.95) return `${Math.max(0, seconds).toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${renderCount(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

/** A latency in seconds, on every surface: `<0.1 ms`, `0.2 ms`, `38 ms`, `0.61 s`, `2.31 s`, `12.4 s`, `2 min 5 s`. */
export function renderLatency(seconds: number): string {
  if (seconds >= 59.95) return renderElapsed(seconds);
  if (seconds >= 0.0995) return `${seconds.toFixed(seconds >= 9.995 ? 1 : 2)} s`;
  const milliseconds = seconds * 1000;
  if (milliseconds >= 9.95) return `${milliseconds.toFixed(0)} ms`;
  return milliseconds > 0 && milliseconds < 0.05 ? '<0.1 ms' : `${milliseconds.toFixed(1)} ms`;
}
