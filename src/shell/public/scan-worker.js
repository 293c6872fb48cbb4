// Lets the scan page open without a network. It keeps the page and the files that it is built from, nothing of the API:
// what was done off line is kept and sent by the page itself.

const CACHE = 'scan-page';
const PAGE = '/scancode';
const BESIDE = ['/theme.js', '/logo.svg', '/scan.webmanifest'];

const isPart = ({ origin, pathname }) =>
  origin === self.location.origin && (pathname.startsWith('/assets/') || BESIDE.includes(pathname));

async function fetched(cache, request, key) {
  const response = await fetch(request);
  if (response.ok) await cache.put(key, response.clone());
  return response;
}

/** The page of now where the network has it, else the one that was kept. */
async function page(request) {
  const cache = await caches.open(CACHE);
  try {
    return await fetched(cache, request, PAGE);
  } catch {
    return (await cache.match(PAGE)) ?? Response.error();
  }
}

/** Names of built files change with their content: what is kept is right. */
async function part(request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(request)) ?? fetched(cache, request, request);
}

/** Keeps exactly what the page of now is built from. */
async function keep(addresses) {
  const cache = await caches.open(CACHE);
  const parts = addresses.map((address) => new URL(address, self.location.href)).filter(isPart);
  const wanted = new Set([PAGE, ...BESIDE, ...parts.map(({ pathname }) => pathname)]);
  const kept = new Set();
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url);
    if (wanted.has(pathname)) kept.add(pathname);
    else await cache.delete(request);
  }
  await Promise.allSettled([...wanted].filter((path) => !kept.has(path)).map((path) => fetched(cache, path, path)));
}

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('message', (event) => {
  const { keep: addresses } = event.data ?? {};
  if (Array.isArray(addresses)) event.waitUntil(keep(addresses).then(() => event.ports[0]?.postMessage('kept')));
});
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET') return;
  if (request.mode === 'navigate' && url.pathname === PAGE) event.respondWith(page(request));
  else if (isPart(url)) event.respondWith(part(request));
});
