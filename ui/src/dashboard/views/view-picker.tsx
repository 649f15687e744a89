import { useState } from 'react';
import { useShortcut } from '../../app/shortcuts.js';
import { loadable } from '../../components/controls/loadable.js';
import { Menu } from '../../components/controls/menu.js';
import { Icon } from '../../components/icons/icon.js';
import lineStyles from '../filters/filter-line.module.css';
import { useView } from '../use-view.js';
import type { ViewDialog } from './saved-views.js';

const viewParts = loadable(() => import('./saved-views.js'));

/** The name of the open view, and the menu of views. */
export function ViewPicker() {
  const [{ saved }] = useView();
  const [isOpen, setOpen] = useState(false);
  const [dialog, setDialog] = useState<ViewDialog>();
  const parts = viewParts.use(saved !== undefined || isOpen || dialog !== undefined);
  useShortcut('view', () => setDialog('save'));
  return (
    <>
      <Menu
        portal
        label="Views"
        open={isOpen && parts !== undefined}
        setOpen={setOpen}
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
                  {parts && <parts.OpenedView name={saved} />}
                </>
              )}
              <Icon name="down" />
            </>
          ),
        }}
      >
        {parts && <parts.ViewItems onAsk={setDialog} />}
      </Menu>
      {parts && dialog !== undefined && (
        <parts.ViewDialogs dialog={dialog} onClose={() => setDialog(undefined)} />
      )}
    </>
  );
}
