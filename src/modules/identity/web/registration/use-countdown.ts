import { useCallback, useEffect, useState } from 'react';

/** Seconds that are left of `seconds` since `start` was called, 0 when none runs; `stop` ends it early. */
export function useCountdown(seconds: number) {
  const [until, setUntil] = useState(0);
  const [now, setNow] = useState(Date.now);
  const left = Math.max(0, Math.ceil((until - now) / 1000));

  useEffect(() => {
    if (until === 0) return;
    // By the clock, not by counting ticks: a browser slows the timers of a page in the background down.
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [until]);

  const start = useCallback(() => {
    setNow(Date.now());
    setUntil(Date.now() + seconds * 1000);
  }, [seconds]);
  const stop = useCallback(() => setUntil(0), []);
  return { left, start, stop };
}
