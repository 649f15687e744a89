import { useConfigs } from '../../api/queries.js';

/** The run config of a run; shown if there are several configs, or if it is not the default one. */
export function ConfigName({
  of: { config_name: name },
  className,
}: {
  of: { readonly config_name: string };
  className?: string | undefined;
}) {
  const { data: configs } = useConfigs();
  const isChoice = configs !== undefined && configs.names.length > 1;
  if (!isChoice && name === 'default') return null;
  return (
    <span className={className} title={`Run config ${name}`}>
      <span data-word>config </span>
      {name}
    </span>
  );
}
