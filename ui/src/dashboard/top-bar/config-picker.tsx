import { useSelectConfig } from '../../api/actions.js';
import { useConfigs } from '../../api/queries.js';
import { buttonClass } from '../../components/button.js';
import { classNames } from '../../components/class-names.js';
import { Icon } from '../../components/icon.js';
import { Menu, MenuCaption, MenuItem } from '../../components/menu.js';
import styles from './top-bar.module.css';

/** The run config of the next new run; there only when there is a choice. */
export function ConfigPicker() {
  const { data } = useConfigs();
  const select = useSelectConfig();
  if (data === undefined || data.names.length < 2) return null;
  return (
    <Menu
      label="Run configs"
      align="end"
      button={{
        className: classNames(buttonClass({ look: 'ghost' }), styles.config),
        children: (
          <>
            config <b className={styles.configName}>{data.active}</b>
            <Icon name="down" small />
          </>
        ),
      }}
    >
      <MenuCaption>for the next new run</MenuCaption>
      {data.names.map((name) => (
        <MenuItem key={name} current={name === data.active} onClick={() => select.mutate(name)}>
          <span className="cut">{name}</span>
        </MenuItem>
      ))}
    </Menu>
  );
}
