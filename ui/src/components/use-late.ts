import { useEffect, useState } from 'react';

/** True once something has lasted for a while, in milliseconds: what is over in a moment needs no words. */
export function useLate(lasts: boolean, after: number): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!lasts) return;
    const timer = setTimeout(() => setLate(true), after);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [lasts, after]);
  return isLate;
}
