import { notify } from '../app/notices.js';

/** Copies a text to the clipboard and confirms it; `what` begins a sentence. */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify({ kind: 'info', text: `${what} is in the clipboard.` });
  } catch {
    notify({
      kind: 'error',
      text: 'The browser does not let this page copy. Select it and copy it by hand.',
    });
  }
}
