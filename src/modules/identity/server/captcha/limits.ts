import { LRUCache } from 'lru-cache';
import type { RepCode } from './protocol.ts';

const MINUTE_MS = 60_000;
const CALLS_PER_MINUTE = 60;
const FAILURES_PER_MINUTE = 5;
const LOCK_MS = 5 * MINUTE_MS;
/** Failed log-ins after which the slider is no longer enough, and how long that is remembered. */
const ESCALATE_AFTER = 3;
const ESCALATED_MS = 10 * MINUTE_MS;
/** Clients remembered at a time; the one longest unseen is forgotten first. */
const CLIENTS = 20_000;

interface Client {
  /** Instants (epoch ms) inside the last minute, oldest first. */
  get: number[];
  check: number[];
  failures: number[];
  lockedUntil: number;
  escalatedUntil: number;
}

export interface ClientLimits {
  /** Counts a call; the code of the refusal when it is one too many or the client is locked, and then it does not count. */
  refusal(client: string, call: 'get' | 'check'): Extract<RepCode, '6201' | '6202' | '6204'> | undefined;
  /** A wrong answer; the fifth within a minute locks the client for five. */
  failed(client: string): void;
  /** Failed log-ins in a row, 0 after a success: from three on only click-word, for ten minutes. */
  escalate(client: string, loginFailures: number): void;
  clickWordOnly(client: string): boolean;
}

/** Limits of one process, in memory, keyed by client; `now` in epoch ms. Windows slide. */
export function createClientLimits(now: () => number): ClientLimits {
  const clients = new LRUCache<string, Client>({ max: CLIENTS });
  const clientOf = (key: string): Client => {
    const known = clients.get(key);
    if (known) return known;
    const fresh: Client = { get: [], check: [], failures: [], lockedUntil: 0, escalatedUntil: 0 };
    clients.set(key, fresh);
    return fresh;
  };
  return {
    refusal: (key, call) => {
      const client = clientOf(key);
      if (now() < client.lockedUntil) return '6202';
      client[call] = recent(client[call], now());
      if (client[call].length >= CALLS_PER_MINUTE) return call === 'get' ? '6201' : '6204';
      client[call].push(now());
      return undefined;
    },
    failed: (key) => {
      const client = clientOf(key);
      client.failures = [...recent(client.failures, now()), now()];
      if (client.failures.length < FAILURES_PER_MINUTE) return;
      client.lockedUntil = now() + LOCK_MS;
      client.failures = [];
    },
    escalate: (key, loginFailures) => {
      clientOf(key).escalatedUntil = loginFailures >= ESCALATE_AFTER ? now() + ESCALATED_MS : 0;
    },
    clickWordOnly: (key) => now() < (clients.get(key)?.escalatedUntil ?? 0),
  };
}

function recent(instants: readonly number[], now: number): number[] {
  return instants.filter((at) => at > now - MINUTE_MS);
}
