import type { ReactNode } from 'react';
import { classNames } from '../../../components/class-names.js';
import { Menu, MenuItem } from '../../../components/controls/menu.js';
import { Icon } from '../../../components/icons/icon.js';
import { MiddleCut } from '../../../components/names/middle-cut.js';
import { tellingEnds } from '../../../components/names/telling-end.js';
import { useView } from '../../use-view.js';
import type { useColumnMoves } from '../columns/use-column-moves.js';
import { sortBy, sortOf } from './sorting.js';
import headStyles from './table-head.module.css';

/** A menu of sort orders, behind the name of a column or an arrow beside it. */
export function SortMenu({
  label,
  options,
  moves,
  children,
}: {
  label: string;
  /** Names of the sort keys. */
  options: Readonly<Record<string, string>>;
  moves?: ReturnType<typeof useColumnMoves>;
  children?: ReactNode;
}) {
  const [view, setView] = useView();
  const sorted = sortOf(view, Object.keys(options));
  const by = options[view.sort];
  return (
    <Menu
      portal
      label={label}
      button={{
        className: children === undefined ? headStyles.more : headStyles.button,
        ...moves,
        ...(children === undefined && { 'aria-label': label }),
        children: (
          <>
            {children}
            {children !== undefined && sorted && by !== undefined && (
              <MiddleCut text={by} end={tellingEnds(Object.values(options)).get(by)} />
            )}
            {children !== undefined && sorted && (
              <Icon
                name="up"
                className={classNames(sorted === 'descending' && headStyles.descending)}
              />
            )}
            {children === undefined && <Icon name="down" />}
          </>
        ),
      }}
    >
      {Object.entries(options).map(([sort, name]) => (
        <MenuItem
          key={sort}
          current={view.sort === sort}
          hideOnClick={false}
          onClick={() => setView((now) => sortBy(now, sort))}
          {...(view.sort === sort && {
            note: sort === 'index' ? 'as it is' : view.descending ? 'descending' : 'ascending',
          })}
        >
          {name}
        </MenuItem>
      ))}
    </Menu>
  );
}
