import { useSelectConfig } from '../../api/actions.js';
import { useConfigs } from '../../api/queries.js';
import { classNames } from '../../components/class-names.js';
import { buttonClass } from '../../components/controls/button.js';
import { Menu, MenuCaption, MenuItem } from '../../components/controls/menu.js';
import { Icon } from '../../components/icons/icon.js';
import styles from './top-bar.module.css';

/** Chooses the run config for new runs; shown only if there are several. */
export function ConfigPicker() {
  const { data } = useConfigs();
  if (!useHasConfigs()) return null;
  return (
    <Menu
      label="Run config for new runs"
      align="end"
      button={{
        className: classNames(buttonClass({ look: 'ghost' }), styles.config),
        title: 'Run config for new runs',
        children: (
          <>
            <span className={styles.configWord}>next run: </span>
            <b className={classNames('cut', styles.configName)}>{data?.active}</b>
            <Icon name="down" small />
          </>
        ),
      }}
    >
      <ConfigItems />
    </Menu>
  );
}

/** True if there are several run configs. */
export function useHasConfigs(): boolean {
  const { data } = useConfigs();
  return data !== undefined && data.names.length > 1;
}

/** The menu items for the run configs. */
export function ConfigItems() {
  const { data } = useConfigs();
  const select = useSelectConfig();
  if (data === undefined) return null;
  return (
    <>
      <MenuCaption>run config for new runs</MenuCaption>
      {data.names.map((name) => {
        const isActive = name === data.active;
        return (
          <MenuItem
            key={name}
            needsServer
            role="menuitemradio"
            aria-checked={isActive}
            className={styles.configItem}
            current={isActive}
            onClick={() => select.mutate(name)}
          >
            {isActive ? <Icon name="check" small /> : <span />}
            <span className="cut">{name}</span>
          </MenuItem>
        );
      })}
    </>
  );
}
