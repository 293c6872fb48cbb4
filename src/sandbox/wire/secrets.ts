import { createHash } from 'node:crypto';
import { iso } from './clock.ts';
import type { Told } from './notices.ts';
import type { AppCredential } from './world.ts';

const DAY_MS = 86_400_000;
/** A secret is good for so long, and its predecessor for so long beside it. */
const LIFE_MS = 180 * DAY_MS;
const BESIDE_MS = 7 * DAY_MS;

/** What the command log holds of applications' secrets; times are of the data clock, epoch ms. */
export type SecretCommand =
  | { type: 'secretRotated'; clientId: string; at: number }
  /** Until then whatever secret is in use must be changed. */
  | { type: 'secretExpiry'; clientId: string; at: number; until: number };

/** A secret that Amazon gave out; the one that an application was registered with stands in its settings. */
interface Given {
  secret: string;
  at: number;
}

/** Secrets of applications as the commands have left them. */
export class Secrets {
  readonly #given = new Map<string, Given[]>();
  readonly #expiry = new Map<string, { at: number; until: number }>();
  readonly #seed: () => string;

  constructor(seed: () => string) {
    this.#seed = seed;
  }

  /** Whether the command was one of these. */
  apply(command: { type: string } | SecretCommand): boolean {
    if (command.type !== 'secretRotated' && command.type !== 'secretExpiry') return false;
    const told = command as SecretCommand;
    if (told.type === 'secretExpiry') this.#expiry.set(told.clientId, { at: told.at, until: told.until });
    else {
      const given = this.#given.get(told.clientId) ?? [];
      const digest = createHash('sha256')
        .update(`secret|${this.#seed()}|${told.clientId}|${given.length}`)
        .digest('hex');
      this.#given.set(told.clientId, [...given, { secret: `amzn1.oa2-cs.v1.${digest}`, at: told.at }]);
      this.#expiry.delete(told.clientId);
    }
    return true;
  }

  /** Secrets that an application may use at a data time, the newest first. */
  usable(app: AppCredential, now: number): string[] {
    const expiry = this.#expiry.get(app.clientId);
    const all = [{ secret: app.clientSecret, at: Number.NEGATIVE_INFINITY }, ...(this.#given.get(app.clientId) ?? [])];
    return all
      .filter((_, index) => {
        const next = all[index + 1];
        return next ? now < next.at + BESIDE_MS : expiry === undefined || now < expiry.until;
      })
      .map(({ secret }) => secret)
      .reverse();
  }

  /** What the queue that an application has named in the developer's console is told. */
  events(app: AppCredential): (Told & { type: string })[] {
    const { clientId } = app;
    const expiry = this.#expiry.get(clientId);
    const given = (this.#given.get(clientId) ?? []).map(({ secret, at }, index) => ({
      type: 'APPLICATION_OAUTH_CLIENT_NEW_SECRET',
      key: `${clientId}|${index}`,
      at,
      payload: {
        applicationOAuthClientNewSecret: {
          clientId,
          newClientSecret: secret,
          newClientSecretExpiryTime: iso(at + LIFE_MS),
          oldClientSecretExpiryTime: iso(at + BESIDE_MS),
        },
      },
    }));
    if (expiry === undefined) return given;
    const payload = {
      applicationOAuthClientSecretExpiry: {
        clientId,
        clientSecretExpiryTime: iso(expiry.until),
        clientSecretExpiryReason: 'PERIODIC_ROTATION',
      },
    };
    return [
      ...given,
      { type: 'APPLICATION_OAUTH_CLIENT_SECRET_EXPIRY', key: `${clientId}|${expiry.until}`, at: expiry.at, payload },
    ];
  }
}
