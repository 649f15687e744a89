import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { Link } from 'wouter';
import type { EventConnection } from '../api/connection.js';
import { useDelayed } from '../browser/use-delayed.js';
import { buttonClass, IconButton } from '../components/controls/button.js';
import { counted } from '../components/figures/figures.js';
import { Banner } from '../components/messages/banner.js';
import {
  bulkPart,
  dismissRefused,
  sendWaiting,
  useEdits,
} from '../result/editing/waiting-edits.js';
import { notify } from './notices.js';

/** Milliseconds until edits are sent again while the connection seems to be there. */
const sentAgainAfter = 3000;

/** `2 edits wait for the connection.` */
export function waitText(edits: number): string {
  return `${counted(edits, 'edit')} ${edits === 1 ? 'waits' : 'wait'} for the connection.`;
}

/** Sends the edits that wait once there is a connection, and shows those that were refused. */
export function EditBanners({ connection }: { connection: EventConnection }) {
  const cache = useQueryClient();
  const { waiting, refused } = useEdits();
  const { state } = useSyncExternalStore(connection.subscribe, connection.read);
  const canSend = waiting.length > 0 && (state === 'open' || state === 'back');
  useEffect(() => {
    if (!canSend) return;
    const send = () =>
      void sendWaiting(cache).then((taken) => {
        if (taken > 0) notify({ kind: 'info', text: `${counted(taken, 'edit')} saved.` });
      });
    send();
    const timer = setInterval(send, sentAgainAfter);
    return () => clearInterval(timer);
  }, [canSend, cache]);
  const isLate = useDelayed(canSend, 1000);
  const first = refused[0];
  return (
    <>
      {isLate && <Banner icon="plug">{waitText(waiting.length)}</Banner>}
      {first && (
        <Banner
          kind="bad"
          icon="pencil"
          end={
            <>
              <Link
                className={buttonClass({ small: true })}
                href={`/runs/${encodeURIComponent(first.run)}/results/${first.index}`}
              >
                Open the result
              </Link>
              <IconButton icon="x" label="Close" small onClick={dismissRefused} />
            </>
          }
        >
          <b>
            {counted(refused.length, 'edit')} {refused.length === 1 ? 'was' : 'were'} not saved.
          </b>{' '}
          {first.reason} {first.part !== bulkPart && 'Your text is kept.'}
        </Banner>
      )}
    </>
  );
}
