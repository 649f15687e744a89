import type { ComponentProps } from 'react';

/** A cell of a column. */
export function Cell({ id, ...rest }: { id: string } & ComponentProps<'span'>) {
  return <span role="gridcell" data-cell={id} {...rest} />;
}
