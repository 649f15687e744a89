import type { ReadResult } from '../api/client.js';
import { ErrorBlock } from './error/error-block.js';
import { Section } from './section.js';
import { ValueSection } from './values/value-section.js';

/**
 * True for a repeat whose output is not that of the attempt that counts: what a person says of the one says nothing of the
 * other.
 */
export function hasOtherOutput({ counted, result }: ReadResult['result']): boolean {
  if (counted === undefined) return false;
  return (
    counted.status !== result.status ||
    JSON.stringify(counted.output) !== JSON.stringify(result.output)
  );
}

/** The output of the attempt that counts, where that is another one. */
export function CountedOutput({ entry }: { entry: ReadResult['result'] }) {
  const { counted } = entry;
  if (counted === undefined || !hasOtherOutput(entry)) return null;
  const { output, error } = counted;
  const note = 'of the last full pass';
  return (
    <>
      {error !== null && (
        <Section title="Error that counts" note={note}>
          <ErrorBlock text={error} label="Error that counts" />
        </Section>
      )}
      {output !== null && <ValueSection title="Output that counts" value={output} note={note} />}
    </>
  );
}
