import { Tooltip as AriakitTooltip, TooltipAnchor, TooltipProvider } from '@ariakit/react';
import type { ReactElement, ReactNode } from 'react';
import styles from './tooltip.module.css';

/** More words for something, on hover and on focus. `children`: one element that takes a ref and can have the focus. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactElement }) {
  return (
    <TooltipProvider timeout={400}>
      <TooltipAnchor render={children} />
      <AriakitTooltip className={styles.tooltip} gutter={6} portal unmountOnHide>
        {text}
      </AriakitTooltip>
    </TooltipProvider>
  );
}
