import { useSyncExternalStore } from 'react';

const NARROW = '(max-width: 600px)';

/** Address of the page for phones; with `id` of an approval it shows that one. */
export const PHONE = '/examine/phone';

/** In the query of a document's page: shown as it is, on a phone as well. */
export const WHOLE = 'whole';

function subscribe(changed: () => void): () => void {
  const media = window.matchMedia(NARROW);
  media.addEventListener('change', changed);
  return () => media.removeEventListener('change', changed);
}

/** Whether the screen is as narrow as that of a phone. */
export function usePhone(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(NARROW).matches);
}
