import { useMemo } from 'react';
import { CopyButton } from '../components/controls/copy-button.js';
import { count } from '../components/figures/figures.js';
import { Conversation } from './conversation/conversation.js';
import { readTraced } from './conversation/read-messages.js';
import { FoldedSection } from './section.js';
import { rawText } from './values/value-kind.js';
import { LookChoice, useLook } from './values/value-section.js';
import { RawView } from './values/value-view.js';

/** The traced messages. */
export function Messages({ traced, output }: { traced: unknown; output: unknown }) {
  const messages = useMemo(() => readTraced(traced), [traced]);
  const [look, setLook] = useLook('Messages');
  if (messages === undefined || !Array.isArray(traced)) return null;
  return (
    <FoldedSection
      title="Messages"
      note={`${count(traced.length)}, from the trace`}
      tools={
        <>
          <LookChoice
            title="Messages"
            found={{ kind: 'conversation', messages, count: traced.length }}
            look={look}
            onChange={setLook}
          />
          <CopyButton label="Copy messages" text={() => rawText(traced)} />
        </>
      }
    >
      {look === 'raw' ? (
        <RawView text={rawText(traced)} />
      ) : (
        <Conversation messages={messages} output={output} />
      )}
    </FoldedSection>
  );
}
