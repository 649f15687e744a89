import type { QueryClient } from '@tanstack/react-query';
import { getSettings } from '../api/client.js';
import { keys } from '../api/keys.js';
import type { RunChange } from '../api/schema.js';

/** Asks the browser to let us notify, from a click. Answers whether it does. */
export async function askToNotify(): Promise<boolean> {
  if (!('Notification' in globalThis)) return false;
  return (await Notification.requestPermission()) === 'granted';
}

/** Tells of runs that end while the page is hidden, when the settings want it. */
export function completionTeller(cache: QueryClient): (change: RunChange) => void {
  const running = new Set<string>();
  return (change) => {
    if (change.state === 'running' || change.state === 'paused') {
      running.add(change.run_id);
      return;
    }
    if (running.delete(change.run_id) && document.hidden) void tell(cache, change);
  };
}

async function tell(cache: QueryClient, run: RunChange): Promise<void> {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return;
  const settings = await cache.fetchQuery({
    queryKey: keys.settings,
    queryFn: ({ signal }) => getSettings(signal),
  });
  if (settings.completion_notifications !== true) return;
  const { run_name, total_passed, total_evaluations, total_errors } = run;
  const errors = total_errors === 0 ? '' : `, ${total_errors} errors`;
  const note = new Notification(`${run_name} has ended`, {
    body: `${total_passed} of ${total_evaluations} passed${errors}`,
    icon: '/favicon.svg',
    tag: run.run_id,
  });
  note.onclick = () => {
    window.focus();
    note.close();
  };
}
