const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const year = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const clockTime = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const second = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'medium' });

/** A moment as in a list of runs: `20 Nov 09:04`, `20 Nov 2024` in another year. */
export function momentText(at: Date, now = new Date()): string {
  if (at.getFullYear() !== now.getFullYear()) return year.format(at);
  return `${day.format(at)} ${clockTime.format(at)}`;
}

/** When something was edited: `20 Nov, 09:22`. */
export function editedText(timestamp: string): string {
  const at = new Date(timestamp);
  return `${dayOf(at)}, ${clockTime.format(at)}`;
}

/** A time to the second: `20 Nov 09:22:41`. */
export function exactText(timestamp: string): string {
  const at = new Date(timestamp);
  return `${dayOf(at)} ${second.format(at)}`;
}

function dayOf(at: Date): string {
  return (at.getFullYear() === new Date().getFullYear() ? day : year).format(at);
}

/** How long ago something was: `just now`, `5 min ago`, `3 h ago`, then the moment itself. */
export function relativeText(at: Date, now = new Date()): string {
  const minutes = Math.floor((now.getTime() - at.getTime()) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)} h ago` : momentText(at, now);
}

/** A moment, the whole of it on hover. `unix`: seconds since 1970. */
export function Moment({ unix, className }: { unix: number; className?: string | undefined }) {
  const at = new Date(unix * 1000);
  return (
    <time className={className} dateTime={at.toISOString()} title={full.format(at)}>
      {momentText(at)}
    </time>
  );
}

/** How long ago something was, the moment on hover. `at`: anything `Date` reads. */
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
