import pg from 'pg';
import type { Runtime } from '#kit/server/runtime.ts';

const LISTEN_AGAIN_MS = 500;
/** Says by itself that the connection is gone, where the network does not. */
const ASK_EVERY_MS = 30_000;

export interface Channel {
  stop(): Promise<void>;
}

/**
 * Hears what is told on channels of the database, on one connection of its own, until stopped. After a cut it connects
 * again and calls `back`, because what was told in between went unheard.
 */
export function listenOn(
  runtime: Runtime,
  channels: readonly string[],
  heard: (channel: string, payload: string) => void,
  back: () => void,
): Channel {
  let stopped = false;
  let current: pg.Client | undefined;
  let again: NodeJS.Timeout | undefined;
  let first = true;
  const retry = () => {
    if (!stopped) again = setTimeout(() => void connect(), LISTEN_AGAIN_MS);
  };
  const connect = async (): Promise<void> => {
    const client = new pg.Client({
      connectionString: runtime.connections.url,
      application_name: 'erp-push',
      keepAlive: true,
    });
    current = client;
    let over = false;
    const cut = () => {
      if (over) return;
      over = true;
      clearInterval(pulse);
      client.end().catch(() => {});
      retry();
    };
    const pulse = setInterval(() => void client.query('SELECT 1').catch(cut), ASK_EVERY_MS);
    client.on('error', cut);
    client.on('end', cut);
    client.on('notification', (message) => heard(message.channel, message.payload ?? ''));
    try {
      await client.connect();
      for (const channel of channels) await client.query(`LISTEN ${channel}`);
      if (!first) back();
      first = false;
    } catch (error) {
      runtime.log.warn({ err: error }, 'push: cannot listen');
      cut();
    }
  };
  void connect();
  return {
    async stop() {
      stopped = true;
      clearTimeout(again);
      await current?.end().catch(() => {});
    },
  };
}
