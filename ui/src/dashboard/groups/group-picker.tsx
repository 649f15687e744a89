import { lazy, Suspense } from 'react';
import { Button } from '../../components/controls/button.js';
import { Menu } from '../../components/controls/menu.js';
import { Icon } from '../../components/icons/icon.js';
import { MiddleCut } from '../../components/names/middle-cut.js';
import lineStyles from '../filters/filter-line.module.css';
import { useView } from '../use-view.js';
import { allFolded, allOpen, type Folds } from './folds.js';

const GroupItems = lazy(async () => ({
  default: (await import('./group-items.js')).GroupItems,
}));

/** Chooses what rows are grouped by, and folds or opens all groups. */
export function GroupPicker({ run, isGrouped }: { run: string; isGrouped: boolean }) {
  const [{ by }, setView] = useView();
  const set = (folds: Folds) => () => setView((now) => ({ ...now, folds }), { replace: true });
  const button = `${lineStyles.pick}`;
  return (
    <>
      <Menu
        portal
        align="end"
        label="Group by"
        button={{
          className: button,
          children: (
            <>
              <span className="quiet">group</span>{' '}
              <b>
                <MiddleCut text={by ?? 'none'} />
              </b>
              <Icon name="down" />
            </>
          ),
        }}
      >
        <Suspense>
          <GroupItems run={run} />
        </Suspense>
      </Menu>
      {isGrouped && (
        <>
          <Button look="ghost" small className={lineStyles.button} onClick={set(allOpen)}>
            open all
          </Button>
          <Button look="ghost" small className={lineStyles.button} onClick={set(allFolded)}>
            fold all
          </Button>
        </>
      )}
    </>
  );
}
