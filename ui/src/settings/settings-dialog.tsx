import { lazy, Suspense } from 'react';
import { Dialog } from '../components/dialog.js';

// Few open it, and not first.
const SettingsContent = lazy(async () => ({
  default: (await import('./settings-form.js')).SettingsContent,
}));

/** The five settings, and what the file holds of them. */
export function SettingsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title="Settings" isOpen={isOpen} onClose={onClose}>
      <Suspense>
        <SettingsContent onClose={onClose} />
      </Suspense>
    </Dialog>
  );
}
