import { userInfo } from 'node:os';
import type { Settings } from './settings.js';

/** The name under which people label here: the setting `reviewer`, else that of the user of the system. */
export function usualReviewer(settings: Settings): string {
  return settings.effective('reviewer').value ?? systemUser();
}

function systemUser(): string {
  try {
    return userInfo().username.trim() || unnamed;
  } catch {
    // In a container, the user may have no name.
    return unnamed;
  }
}

const unnamed = 'reviewer';
