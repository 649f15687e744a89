import { userInfo } from 'node:os';
import { hasHidden, normalName } from '../text/person-name.js';
import type { Settings } from './settings.js';

/** The name under which people label here: the setting `reviewer`, else that of the user of the system. */
export function usualReviewer(settings: Settings): string {
  return normalName(settings.effective('reviewer').value ?? systemUser());
}

function systemUser(): string {
  try {
    const name = userInfo().username.trim();
    return name === '' || hasHidden(name) ? unnamed : name;
  } catch {
    // In a container, the user may have no name.
    return unnamed;
  }
}

const unnamed = 'reviewer';
