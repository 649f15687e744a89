import { Dialog } from '../components/dialog.js';

/** The five settings, and what the file holds of them. */
export function SettingsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title="Settings" isOpen={isOpen} onClose={onClose}>
      <p>Saved to assay.yaml.</p>
    </Dialog>
  );
}
