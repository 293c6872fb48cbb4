import { useEffect } from 'react';

const PAGE = '/scancode';

/** Addresses of everything that this page is built from, where the browser was sent here and not from another screen. */
function builtFrom(): string[] {
  const [navigation] = performance.getEntriesByType('navigation');
  if (!navigation || new URL(navigation.name).pathname !== PAGE) return [];
  return performance.getEntriesByType('resource').map(({ name }) => name);
}

async function install(): Promise<void> {
  const { active } = await navigator.serviceWorker
    .register('/scan-worker.js', { scope: PAGE })
    .then(() => navigator.serviceWorker.ready);
  const keep = builtFrom();
  if (navigator.onLine && keep.length > 0) active?.postMessage({ keep });
}

/** Makes the page one that a phone can install, and that opens without a network from the second time on. */
export function useInstallable(): void {
  useEffect(() => {
    const manifest = document.createElement('link');
    manifest.rel = 'manifest';
    manifest.href = '/scan.webmanifest';
    document.head.append(manifest);
    // Without one (an address that is not secure) the page works as before, with a network.
    if ('serviceWorker' in navigator) void install().catch(() => {});
    return () => manifest.remove();
  }, []);
}
