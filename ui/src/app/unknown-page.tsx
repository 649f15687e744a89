import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { Bar } from '../components/controls/bar.js';
import { Button, buttonClass } from '../components/controls/button.js';
import { Kbd } from '../components/controls/kbd.js';
import { Empty } from '../components/messages/empty.js';
import { useShortcut } from './shortcuts.js';

/** The page of an address that has none. */
export function UnknownPage() {
  const [path] = useLocation();
  const back = () => history.back();
  useShortcut('back', back);
  useEffect(() => {
    document.title = 'No such page · assay';
  }, []);
  return (
    <>
      <Bar>{null}</Bar>
      <main>
        <Empty
          isPage
          title={
            <span>
              No page at <code>{path}</code>
            </span>
          }
          actions={
            <>
              <Link href="/" className={buttonClass({ look: 'primary' })}>
                Open the dashboard
              </Link>
              <Button look="ghost" onClick={back}>
                Back <Kbd>esc</Kbd>
              </Button>
            </>
          }
        >
          <p>The pages are the dashboard, results of its runs, comparisons, and workers.</p>
        </Empty>
      </main>
    </>
  );
}
