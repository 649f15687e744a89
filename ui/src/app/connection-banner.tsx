import { useEffect, useState, useSyncExternalStore } from 'react';
import type { EventConnection } from '../api/connection.js';
import { Button, IconButton } from '../components/controls/button.js';
import { Banner } from '../components/messages/banner.js';
import { useConnectionLost } from './connection-lost.js';

/** Milliseconds for which a restored connection is announced. */
const shownFor = 6000;

/** Shows that the server is unreachable, when the next attempt is, and that the server is back. */
export function ConnectionBanner({ connection }: { connection: EventConnection }) {
  const now = useSyncExternalStore(connection.subscribe, connection.read);
  const isLost = useConnectionLost();
  const [time, setTime] = useState(Date.now());
  useEffect(() => {
    if (now.state === 'back') {
      const timer = setTimeout(connection.acknowledge, shownFor);
      return () => clearTimeout(timer);
    }
    if (now.state !== 'lost') return;
    setTime(Date.now());
    const timer = setInterval(() => setTime(Date.now()), 500);
    return () => clearInterval(timer);
  }, [now, connection]);

  if (now.state === 'back') {
    return (
      <Banner
        icon="rerun"
        end={<IconButton icon="x" label="Close" small onClick={connection.acknowledge} />}
      >
        <b>Connected again.</b> What you see has been read again.
      </Banner>
    );
  }
  if (!isLost || now.state !== 'lost') return null;
  const ago = Math.max(1, Math.round((time - now.since) / 1000));
  const left = Math.max(0, Math.ceil((now.retryAt - time) / 1000));
  return (
    <Banner
      kind="bad"
      icon="plug"
      end={
        <Button small onClick={connection.open}>
          Try now
        </Button>
      }
    >
      <b>No connection for {ago} s.</b> What you see may be old.{' '}
      {left > 0 ? `Trying again in ${left} s.` : 'Trying again.'}
    </Banner>
  );
}
