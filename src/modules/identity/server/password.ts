import { createHmac } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { throttled } from '#kit/server/errors.ts';

const ARGON2ID = 2;

/** Argon2id parameters; stored hashes carry their own, so these may rise. */
const PARAMETERS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Hashes computed at a time, and how many callers may wait: log-ins must not be able to use up the machine. */
const AT_ONCE = 4;
const QUEUE = 200;

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (waiting.length >= QUEUE) throw throttled(5);
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

let admitted = 0;

/**
 * Runs work that will compute hashes, from its first look into the database on; more than can be computed or wait for
 * it are told at once to come back (429), before they cost anything.
 */
export async function admit<T>(work: () => Promise<T>): Promise<T> {
  if (admitted >= AT_ONCE + QUEUE) throw throttled(5);
  admitted += 1;
  try {
    return await work();
  } finally {
    admitted -= 1;
  }
}

function peppered(password: string, pepper: string): string {
  return createHmac('sha256', pepper).update(password.normalize('NFC')).digest('base64');
}

/** PHC string of a password; `pepper` lives outside the database. */
export function hashPassword(password: string, pepper: string): Promise<string> {
  return inTurn(() => hash(peppered(password, pepper), PARAMETERS));
}

/** Whether a password fits; an unreadable hash fits nothing. */
export function passwordFits(stored: string, password: string, pepper: string): Promise<boolean> {
  return inTurn(() => verify(stored, peppered(password, pepper)).catch(() => false));
}

let dummy: Promise<string> | undefined;

/** Spends the time of a real check for an account that does not exist. */
export async function pretendToCheck(password: string, pepper: string): Promise<void> {
  dummy ??= hashPassword('no such account', pepper);
  await passwordFits(await dummy, password, pepper);
}

/** Whether a stored hash was made with less effort than new ones are; unreadable ones count as such. */
export function isWeakHash(stored: string): boolean {
  const found = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(stored);
  if (!found) return true;
  const [memory = 0, time = 0] = found.slice(1).map(Number);
  return memory < PARAMETERS.memoryCost || time < PARAMETERS.timeCost;
}
