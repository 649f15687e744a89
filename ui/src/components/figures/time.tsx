const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const year = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const clockTime = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const second = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'medium' });

/** A time in a list of runs: `20 Nov 09:04`, `20 Nov 2024` in another year. */
export function momentText(at: Date, now = new Date()): string {
  if (at.getFullYear() !== now.getFullYear()) return year.format(at);
  return `${day.format(at)} ${clockTime.format(at)}`;
}

/** Time of an edit: `20 Nov, 09:22`. */
export function editedText(timestamp: string): string {
  const at = new Date(timestamp);
  return `${dayOf(at)}, ${clockTime.format(at)}`;
}

/** A time to the second: `20 Nov 09:22:41`. */
export function exactText(timestamp: string): string {
  const at = new Date(timestamp);
  return `${dayOf(at)} ${second.format(at)}`;
}

/** The day of a time: `20 Nov`, in another year `20 Nov 2024`. */
export function dayOf(at: Date): string {
  return (at.getFullYear() === new Date().getFullYear() ? day : year).format(at);
}

/** A relative time: `just now`, `5 min ago`, `3 h ago`, then the absolute time. */
function relativeText(at: Date, now = new Date()): string {
  const minutes = Math.floor((now.getTime() - at.getTime()) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)} h ago` : momentText(at, now);
}

/** A time, with the exact one as a tooltip. `unix`: seconds since 1970. */
export function Moment({ unix, className }: { unix: number; className?: string | undefined }) {
  const at = new Date(unix * 1000);
  return (
    <time className={className} dateTime={at.toISOString()} title={full.format(at)}>
      {momentText(at)}
    </time>
  );
}

/** A relative time, with the absolute one as a tooltip. `at`: anything that `Date` accepts. */
export function RelativeTime({
  at,
  className,
}: {
  at: string | number | Date;
  className?: string | undefined;
}) {
  const date = new Date(at);
  return (
    <time className={className} dateTime={date.toISOString()} title={full.format(date)}>
      {relativeText(date)}
    </time>
  );
}
