import { FilterPill } from '../../components/controls/filter-pill.js';
import { Menu, MenuItem } from '../../components/controls/menu.js';
import { Icon } from '../../components/icons/icon.js';
import { tellingEnds } from '../../components/names/telling-end.js';
import lineStyles from '../../dashboard/filters/filter-line.module.css';
import { type ChosenValues, isChosen, standing } from '../../dashboard/view-state.js';
import styles from './pair-filters.module.css';

/** More values go into a menu. */
const maxPills = 4;

/** A kind of filter, its values, and which are chosen. */
interface ValueFilterProps {
  readonly name: string;
  readonly values: readonly string[];
  readonly choice: ChosenValues;
  readonly onCycle: (value: string) => void;
}

/** A few values as pills; many in a menu, with the chosen ones beside it. */
export function ValueFilter({ name, values, choice, onCycle }: ValueFilterProps) {
  if (values.length < 2 && !isChosen(choice)) return null;
  if (values.length > maxPills) {
    return <ValueMenu name={name} values={values} choice={choice} onCycle={onCycle} />;
  }
  const shown = [...new Set([...values, ...choice.include, ...choice.exclude])];
  const ends = tellingEnds(shown);
  return (
    <>
      <span className={lineStyles.group}>{name}</span>
      {shown.map((value) => (
        <FilterPill
          key={value}
          standing={standing(choice, value)}
          text={value}
          end={ends.get(value)}
          onClick={() => onCycle(value)}
        />
      ))}
    </>
  );
}

/** Values in a menu; clicks cycle through include, exclude and off. Chosen values are shown beside the menu. */
export function ValueMenu({ name, values, choice, onCycle }: ValueFilterProps) {
  const shown = [...new Set([...values, ...choice.include, ...choice.exclude])];
  const marks = { in: 'plus', out: 'minus', off: undefined } as const;
  return (
    <>
      <Menu
        label={name}
        portal
        button={{
          className: styles.more,
          children: (
            <>
              {name}
              <Icon name="down" />
            </>
          ),
        }}
      >
        {shown.map((value) => {
          const stands = standing(choice, value);
          const mark = marks[stands];
          return (
            <MenuItem
              key={value}
              role="menuitemcheckbox"
              aria-checked={stands === 'in' ? true : stands === 'out' ? 'mixed' : false}
              hideOnClick={false}
              className={styles.item}
              onClick={() => onCycle(value)}
            >
              {mark ? <Icon name={mark} small /> : <span />}
              <span className="cut">{value.replace('_', ' ')}</span>
              {stands === 'out' && <span className="sr">excluded</span>}
            </MenuItem>
          );
        })}
      </Menu>
      {shown
        .filter((value) => standing(choice, value) !== 'off')
        .map((value) => (
          <FilterPill
            key={value}
            standing={standing(choice, value)}
            text={value.replace('_', ' ')}
            onClick={() => onCycle(value)}
          />
        ))}
    </>
  );
}
