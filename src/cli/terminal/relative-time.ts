const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * A time relative to now in words: `just now`, `4 minutes ago`, `yesterday`; the date from two weeks on. Both times
 * in Unix milliseconds. A future time, from another machine's clock, is shown as its date.
 */
export function relativeTime(then: number, now: number): string {
  const ago = now - then;
  if (Math.abs(ago) < minute) return 'just now';
  if (ago < 0) return date(then);
  if (ago < hour) return inWords(ago / minute, 'minute');
  const days = Math.round((midnight(now) - midnight(then)) / day);
  if (days === 0 || ago < 12 * hour) return inWords(ago / hour, 'hour');
  if (days === 1) return 'yesterday';
  return days < 14 ? inWords(days, 'day') : date(then);
}

function inWords(count: number, unit: string): string {
  const whole = Math.floor(count);
  return `${whole} ${unit}${whole === 1 ? '' : 's'} ago`;
}

function midnight(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

function date(time: number): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return 'unknown';
  const pad = (part: number) => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
}
