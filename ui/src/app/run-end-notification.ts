import type { QueryClient } from '@tanstack/react-query';
import { getSettings } from '../api/client.js';
import { keys } from '../api/keys.js';
import type { RunChange } from '../api/schema.js';
import { counted, rateText } from '../components/figures/figures.js';

/** Asks for permission to notify, after a click. Returns whether it is granted. */
export async function askToNotify(): Promise<boolean> {
  if (!('Notification' in globalThis)) return false;
  return (await Notification.requestPermission()) === 'granted';
}

/** Notifies when a run ends while the page is hidden, if the setting is on. */
export function notifyOfEnds(cache: QueryClient): (change: RunChange) => void {
  const running = new Set<string>();
  return (change) => {
    if (change.state === 'running' || change.state === 'paused') {
      running.add(change.run_id);
      return;
    }
    if (running.delete(change.run_id) && document.hidden) void notify(cache, change);
  };
}

async function notify(cache: QueryClient, run: RunChange): Promise<void> {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return;
  const settings = await cache.fetchQuery({
    queryKey: keys.settings,
    queryFn: ({ signal }) => getSettings(signal),
  });
  if (settings.completion_notifications !== true) return;
  const { run_name, pass_rate, total_errors } = run;
  const errors = total_errors === 0 ? '' : `, ${counted(total_errors, 'error')}`;
  const passed =
    pass_rate === null
      ? 'no verdicts'
      : `${rateText(pass_rate.estimate)} passed (${pass_rate.passed} of ${pass_rate.total})`;
  const note = new Notification(`${run_name} has ended`, {
    body: `${passed}${errors}`,
    icon: '/favicon.svg',
    tag: run.run_id,
  });
  note.onclick = () => {
    window.focus();
    note.close();
  };
}
