import { useEffect } from 'react';
import { Bar } from '../../components/controls/bar.js';
import { Button } from '../../components/controls/button.js';
import { NoSuchRun } from '../../components/runs/no-such-run.js';
import { useView } from '../use-view.js';
import { withoutFilters } from '../view-state.js';

/** The page of a run that does not exist. */
export function UnknownRun({ name }: { name: string }) {
  const [, setView] = useView();
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
