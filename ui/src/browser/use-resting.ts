import { useEffect, useState } from 'react';

/** A value once it has stayed the same for `after` milliseconds, else the one before. */
export function useResting<T>(value: T, after: number): T {
  const [resting, setResting] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setResting(value), after);
    return () => clearTimeout(timer);
  }, [value, after]);
  return resting;
}
