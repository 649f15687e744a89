import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { forgetListings } from '../../api/actions.js';
import { Bar } from '../../components/controls/bar.js';
import { Button } from '../../components/controls/button.js';
import { NoSuchRun } from '../../components/runs/no-such-run.js';
import { useView } from '../use-view.js';
import { withoutFilters } from '../view-state.js';

/** The page of a run that does not exist. */
export function UnknownRun({ name }: { name: string }) {
  const [, setView] = useView();
  const cache = useQueryClient();
  // Somebody else may have deleted it a moment ago: without an address, the page would show it as the active run again.
  useEffect(() => forgetListings(cache), [cache]);
  useEffect(() => {
    document.title = 'No such run · assay';
  }, []);
  const open = (run: string | undefined) => setView((view) => ({ ...withoutFilters(view), run }));
  return (
    <>
      <Bar>{null}</Bar>
      <main>
        <NoSuchRun
          names={[name]}
          actions={
            <Button look="primary" onClick={() => open(undefined)}>
              Open the dashboard
            </Button>
          }
          onPick={open}
        />
      </main>
    </>
  );
}
