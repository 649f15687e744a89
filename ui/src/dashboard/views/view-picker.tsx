import { lazy, Suspense, useState } from 'react';
import { useShortcut } from '../../app/shortcuts.js';
import { Menu } from '../../components/controls/menu.js';
import { Icon } from '../../components/icons/icon.js';
import lineStyles from '../filters/filter-line.module.css';
import { useView } from '../use-view.js';
import type { ViewDialog } from './saved-view.js';

const parts = () => import('./view-parts.js');
const ViewItems = lazy(async () => ({ default: (await parts()).ViewItems }));
const OpenedView = lazy(async () => ({ default: (await parts()).OpenedView }));
const ViewDialogs = lazy(async () => ({ default: (await parts()).ViewDialogs }));

/** The name of the open view, and the menu of views. */
export function ViewPicker({ run }: { run: string }) {
  const [{ saved }] = useView();
  const [dialog, setDialog] = useState<ViewDialog>();
  useShortcut('view', () => setDialog('save'));
  return (
    <>
      <Menu
        portal
        label="Views"
        button={{
          className: lineStyles.pick,
          children: (
            <>
              <Icon name="view" />
              {saved === undefined ? (
                <span className="quiet">views</span>
              ) : (
                <>
                  <b className="cut">{saved}</b>
                  <Suspense>
                    <OpenedView name={saved} run={run} />
                  </Suspense>
                </>
              )}
              <Icon name="down" />
            </>
          ),
        }}
      >
        <Suspense>
          <ViewItems run={run} onAsk={setDialog} />
        </Suspense>
      </Menu>
      {dialog !== undefined && (
        <Suspense>
          <ViewDialogs dialog={dialog} onClose={() => setDialog(undefined)} />
        </Suspense>
      )}
    </>
  );
}
