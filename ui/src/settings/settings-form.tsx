import { useId, useState } from 'react';
import { useSaveSettings } from '../api/actions.js';
import { ApiProblem, messageOf } from '../api/problem.js';
import { useConfigs, useSettings, useSettingsFile } from '../api/queries.js';
import type { Settings } from '../api/schema.js';
import { notify } from '../app/notices.js';
import { askToNotify } from '../app/run-end-notification.js';
import { classNames } from '../components/class-names.js';
import { Button } from '../components/controls/button.js';
import { DialogEnd } from '../components/controls/dialog.js';
import { Field } from '../components/controls/field.js';
import { Kbd } from '../components/controls/kbd.js';
import { Switch } from '../components/controls/switch.js';
import { counted } from '../components/figures/figures.js';
import { Fault } from '../components/messages/fault.js';
import {
  draftOf,
  faultsFrom,
  faultsOf,
  requestOf,
  type SettingName,
  type SettingsDraft,
  settingNames,
} from './settings-draft.js';
import styles from './settings-form.module.css';

/** The edited settings, their errors, and how to save them. */
function useSettingsDraft(settings: Settings, onClose: () => void) {
  const [draft, setDraft] = useState(() => draftOf(settings));
  /** The draft that the server rejected: its errors apply until the field changes. */
  const [refused, setRefused] = useState<SettingsDraft>();
  const save = useSaveSettings();
  const answer = faultsFrom(save.error instanceof ApiProblem ? save.error.errors : []);
  const found = faultsOf(draft);
  const isAsRefused = (name: SettingName) => refused !== undefined && refused[name] === draft[name];
  const faultOf = (name: SettingName) =>
    found[name] ?? (isAsRefused(name) ? answer.faults[name] : undefined);
  const wrong = settingNames.filter((name) => faultOf(name) !== undefined).length;
  const canSave = wrong === 0 && !save.isPending;
  const submit = () => {
    if (!canSave) return;
    save.mutate(requestOf(draft), {
      onError: () => setRefused(draft),
      onSuccess: ({ config }) => {
        const isMoved = config.results_dir !== settings.results_dir;
        const later = ' The results folder changes at the next restart of the server.';
        notify(`Settings saved.${isMoved ? later : ''}`);
        onClose();
      },
    });
  };
  return {
    draft,
    set: (part: Partial<SettingsDraft>) => setDraft((now) => ({ ...now, ...part })),
    faultOf,
    wrong,
    canSave,
    submit,
    /** Errors that belong to no field. */
    otherFaults: [
      ...(save.error !== null && Object.keys(answer.faults).length === 0
        ? [messageOf(save.error)]
        : []),
      ...answer.rest,
    ],
  };
}

const fields = [
  {
    name: 'concurrency',
    label: 'Concurrency',
    hint: '1 to 1000; default 8',
    placeholder: '8',
    isNumber: true,
  },
  {
    name: 'timeout',
    label: 'Timeout',
    hint: 'for one attempt, up to 86,400; default 300',
    placeholder: '300',
    isNumber: true,
    unit: 's',
  },
  {
    name: 'trials',
    label: 'Trials',
    hint: '1 to 1000, in new runs; default 1',
    placeholder: '1',
    isNumber: true,
  },
  {
    name: 'results_dir',
    label: 'Results folder',
    hint: 'relative to the settings file; takes effect after a restart',
    placeholder: '.assay/sessions',
    isNumber: false,
  },
] as const;

/** The form of the settings; each field shows its accepted values and its error. */
function SettingsForm({ settings, onClose }: { settings: Settings; onClose: () => void }) {
  const { draft, set, faultOf, wrong, canSave, submit, otherFaults } = useSettingsDraft(
    settings,
    onClose,
  );
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        submit();
      }}
    >
      <About />
      <div className={styles.fields}>
        {fields.map((field, n) => (
          <SettingField
            key={field.name}
            {...field}
            value={draft[field.name]}
            fault={faultOf(field.name)}
            autoFocus={n === 0}
            onChange={(value) => set({ [field.name]: value })}
          />
        ))}
        <NotifySetting
          isOn={draft.completion_notifications}
          fault={faultOf('completion_notifications')}
          onChange={async (isOn) => {
            set({ completion_notifications: isOn });
            return isOn ? askToNotify() : true;
          }}
        />
      </div>
      <ConfigNote />
      {otherFaults.map((text) => (
        <Fault key={text} text={text} />
      ))}
      <DialogEnd>
        {wrong > 0 && (
          <span className={styles.wrong}>Correct {counted(wrong, 'field')} to save</span>
        )}
        <Button look="ghost" onClick={onClose}>
          Cancel <Kbd>esc</Kbd>
        </Button>
        <Button needsServer look="primary" type="submit" disabled={!canSave}>
          Save
        </Button>
      </DialogEnd>
    </form>
  );
}

/** Says where the settings are saved. */
function About() {
  const { data } = useSettingsFile();
  if (data === undefined) return <p className="quiet">Saved to the settings file.</p>;
  return (
    <p className="quiet">
      Saved to <code>{data.file}</code>
      {data.file_exists ? '. Comments and other keys in it stay.' : '; saving creates it.'}
    </p>
  );
}

/** Says that the run config takes precedence, if there are several. */
function ConfigNote() {
  const { data } = useConfigs();
  if (data === undefined || data.names.length < 2) return null;
  return (
    <p className={styles.hint}>
      Run config <b>{data.active}</b> is chosen for the next new run; what it sets comes before what
      is set here. The picker in the top bar chooses another.
    </p>
  );
}
/** The content of the dialog: the settings, or the error of reading them. */
export function SettingsContent({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useSettings();
  if (data !== undefined) return <SettingsForm settings={data} onClose={onClose} />;
  if (error === null) return null;
  return (
    <>
      <p role="alert" className="quiet">
        {messageOf(error)}
      </p>
      <DialogEnd>
        <Button onClick={() => void refetch()}>Try again</Button>
      </DialogEnd>
    </>
  );
}

/** One setting: name, description, accepted values, and error. */
function SettingField({
  label,
  hint,
  value,
  placeholder,
  unit,
  fault,
  isNumber,
  autoFocus,
  onChange,
}: {
  label: string;
  hint: string;
  value: string;
  /** The default. */
  placeholder: string;
  unit?: string;
  fault: string | undefined;
  isNumber: boolean;
  autoFocus: boolean;
  onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div className={styles.setting}>
      <label htmlFor={id}>{label}</label>
      <div className={classNames(styles.input, !isNumber && styles.wide)}>
        <Field
          id={id}
          className={styles.field}
          {...(isNumber && { inputMode: 'decimal' as const })}
          value={value}
          placeholder={placeholder}
          bad={fault !== undefined}
          autoFocus={autoFocus}
          aria-describedby={fault === undefined ? `${id}hint` : `${id}fault ${id}hint`}
          onChange={(event) => onChange(event.currentTarget.value)}
          end={unit && <span className="faint">{unit}</span>}
        />
        <span id={`${id}hint`} className={styles.hint}>
          {hint}
        </span>
        <Fault id={`${id}fault`} text={fault} />
      </div>
    </div>
  );
}

/** The setting for notifications when runs end. `onChange` returns whether the browser permits them. */
function NotifySetting({
  isOn,
  fault,
  onChange,
}: {
  isOn: boolean;
  fault: string | undefined;
  onChange: (isOn: boolean) => Promise<boolean>;
}) {
  const id = useId();
  const [isBlocked, setBlocked] = useState(
    () => 'Notification' in globalThis && Notification.permission === 'denied',
  );
  const change = async (next: boolean) => setBlocked(!(await onChange(next)));
  return (
    <div className={styles.setting}>
      <span>Notifications</span>
      <div className={styles.notify}>
        <Switch
          isOn={isOn}
          label="Notifications"
          aria-describedby={id}
          onChange={(next) => void change(next)}
        />
        <span id={id} className={styles.hint}>
          when a run ends in a hidden tab
          {isOn && isBlocked && '; this browser does not allow them for this page'}
        </span>
        <Fault text={fault} />
      </div>
    </div>
  );
}
