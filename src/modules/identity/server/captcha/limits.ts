import type { RepCode } from './protocol.ts';

const MINUTE_MS = 60_000;
const CALLS_PER_MINUTE = 60;
const FAILURES_PER_MINUTE = 5;
const LOCK_MS = 5 * MINUTE_MS;
/** Failed log-ins after which the slider is no longer enough, and how long that is remembered. */
const ESCALATE_AFTER = 3;
const ESCALATED_MS = 10 * MINUTE_MS;
/** Clients that a process without a shared store remembers; the one longest unseen is forgotten first. */
const CLIENTS = 20_000;

/** What is remembered of a client; instants in epoch ms. */
export interface ClientState {
  /** Instants inside the last minute, oldest first. */
  get: number[];
  check: number[];
  failures: number[];
  lockedUntil: number;
  escalatedUntil: number;
}

/** Where clients are remembered, shared by all processes that serve the same users. */
export interface ClientStore {
  /** Changes the state of one client, one change after the other whoever makes it; `change` alters what it is given. */
  change<T>(client: string, change: (state: ClientState) => T): Promise<T>;
}

export function freshClient(): ClientState {
  return { get: [], check: [], failures: [], lockedUntil: 0, escalatedUntil: 0 };
}

/** Remembers clients in this process only. */
export function clientsInMemory(): ClientStore {
  const clients = new Map<string, ClientState>();
  return {
    change: async (client, change) => {
      const state = clients.get(client) ?? freshClient();
      clients.delete(client);
      clients.set(client, state);
      const [oldest] = clients.keys();
      if (clients.size > CLIENTS && oldest !== undefined) clients.delete(oldest);
      return change(state);
    },
  };
}

type Refusal = Extract<RepCode, '6201' | '6202' | '6204'>;

export interface ClientLimits {
  /**
   * Counts a call. `refusal` is the code when it is one too many or the client is locked, and then it does not count;
   * `clickWordOnly` tells that the slider is not enough for this client.
   */
  enter(client: string, call: 'get' | 'check'): Promise<{ refusal: Refusal | undefined; clickWordOnly: boolean }>;
  /** A wrong answer; the fifth within a minute locks the client for five. */
  failed(client: string): Promise<void>;
  /** Failed log-ins in a row, 0 after a success: from three on only click-word, for ten minutes. */
  escalate(client: string, loginFailures: number): Promise<void>;
}

/** Limits keyed by client; `now` in epoch ms. Windows slide. */
export function createClientLimits(now: () => number, store: ClientStore): ClientLimits {
  return {
    enter: (key, call) =>
      store.change(key, (client) => {
        const clickWordOnly = now() < client.escalatedUntil;
        if (now() < client.lockedUntil) return { refusal: '6202', clickWordOnly };
        client[call] = recent(client[call], now());
        if (client[call].length >= CALLS_PER_MINUTE) {
          return { refusal: call === 'get' ? '6201' : '6204', clickWordOnly };
        }
        client[call].push(now());
        return { refusal: undefined, clickWordOnly };
      }),
    failed: (key) =>
      store.change(key, (client) => {
        client.failures = [...recent(client.failures, now()), now()];
        if (client.failures.length < FAILURES_PER_MINUTE) return;
        client.lockedUntil = now() + LOCK_MS;
        client.failures = [];
      }),
    escalate: (key, loginFailures) =>
      store.change(key, (client) => {
        client.escalatedUntil = loginFailures >= ESCALATE_AFTER ? now() + ESCALATED_MS : 0;
      }),
  };
}

function recent(instants: readonly number[], now: number): number[] {
  return instants.filter((at) => at > now - MINUTE_MS);
}
