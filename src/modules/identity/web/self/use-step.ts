import { useState } from 'react';
import { CallCancelled, messageOf } from '#kit/web/api/index.ts';

/** Runs what a button of a dialog does: busy meanwhile, refusals as a line in the dialog. */
export function useStep() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    setError('');
    try {
      await work();
    } catch (failure) {
      if (!(failure instanceof CallCancelled)) setError(messageOf(failure));
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, setError, run };
}
