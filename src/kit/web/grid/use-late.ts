import { useEffect, useState } from 'react';

/** `value`, but true only after it has been true for `delay` ms: what is quick shows no sign of waiting. */
export function useLate(value: boolean, delay = 200): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!value) {
      setLate(false);
      return;
    }
    const timer = setTimeout(() => setLate(true), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return value && late;
}
