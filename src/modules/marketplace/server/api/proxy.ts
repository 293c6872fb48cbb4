import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';

export interface FetchInit {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  signal?: AbortSignal;
}

const NO_BODY = [204, 205, 304];

function responseOf(message: http.IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const status = message.statusCode ?? 502;
  const body = NO_BODY.includes(status) ? null : (Readable.toWeb(message) as ReadableStream<Uint8Array>);
  return new Response(body, { status, headers });
}

/**
 * fetch, through a store's proxy where it has one ("http://host:port"): https by CONNECT, http by the absolute address.
 * Rejects where the proxy cannot be reached or refuses, as fetch does for a server.
 */
export function fetchVia(proxyUrl: string | null | undefined, url: string, init: FetchInit = {}): Promise<Response> {
  if (!proxyUrl) return fetch(url, init);
  const secure = url.startsWith('https:');
  const proxyEnv = { HTTP_PROXY: proxyUrl, HTTPS_PROXY: proxyUrl };
  const agent = secure ? new https.Agent({ proxyEnv }) : new http.Agent({ proxyEnv });
  const { method = 'GET', headers = {}, body, signal } = init;
  return new Promise((resolve, reject) => {
    const options = { method, headers, agent, ...(signal ? { signal } : {}) };
    const request = (secure ? https : http).request(url, options, (message) => {
      message.once('close', () => agent.destroy());
      resolve(responseOf(message));
    });
    request.on('error', (error) => {
      agent.destroy();
      reject(error);
    });
    request.end(body);
  });
}
