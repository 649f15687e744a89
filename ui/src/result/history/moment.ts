const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const year = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const minute = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const second = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

/** When something was edited: `20 Nov, 09:22`. */
export function editedText(timestamp: string): string {
  const at = new Date(timestamp);
  return `${dayOf(at)}, ${minute.format(at)}`;
}

/** A moment of a timeline, to the second: `20 Nov 09:22:41`. */
export function exactText(timestamp: string): string {
  const at = new Date(timestamp);
  return `${dayOf(at)} ${second.format(at)}`;
}

function dayOf(at: Date): string {
  return (at.getFullYear() === new Date().getFullYear() ? day : year).format(at);
}
