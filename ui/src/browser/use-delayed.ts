import { useEffect, useState } from 'react';

/** True once `lasts` has been true for `after` milliseconds, to avoid flicker. */
export function useDelayed(lasts: boolean, after: number): boolean {
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
