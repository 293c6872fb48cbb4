import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, ConfigError } from './config.ts';

/** Keys of this installation. They live outside the database, so a stolen dump opens nothing. */
export interface Secrets {
  /** Mixed into password hashes. */
  pepper: string;
  /** AES-256-GCM; "v1.<iv>.<tag>.<cipher>" in base64url. */
  encrypt(plain: string): string;
  decrypt(sealed: string): string;
}

const KEY_FILE = 'secret.key';

async function masterKey(config: Pick<Config, 'secretKey' | 'dataDir'>): Promise<Buffer> {
  if (config.secretKey) {
    if (!/^[0-9a-f]{64}$/i.test(config.secretKey)) throw new ConfigError('SECRET_KEY 应为 64 位十六进制（32 字节）');
    return Buffer.from(config.secretKey, 'hex');
  }
  const path = join(config.dataDir, KEY_FILE);
  const known = await readFile(path, 'utf8').catch(() => undefined);
  if (known) return Buffer.from(known.trim(), 'hex');
  const fresh = randomBytes(32);
  await writeFile(path, fresh.toString('hex'), { mode: 0o600 });
  return fresh;
}

/** Reads the master key from SECRET_KEY or the data directory (made there the first time) and derives the others. */
export async function loadSecrets(config: Pick<Config, 'secretKey' | 'dataDir'>): Promise<Secrets> {
  return secretsFrom(await masterKey(config));
}

/** Secrets of a given 32-byte master key. */
export function secretsFrom(master: Buffer): Secrets {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', master, 'erp', purpose, 32));
  const sealing = derive('credentials');
  return {
    pepper: derive('password pepper').toString('hex'),
    encrypt(plain) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', sealing, iv);
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return ['v1', iv, cipher.getAuthTag(), body]
        .map((p) => (typeof p === 'string' ? p : p.toString('base64url')))
        .join('.');
    },
    decrypt(sealed) {
      const [version, iv = '', tag = '', body = ''] = sealed.split('.');
      if (version !== 'v1') throw new Error('unknown sealing version');
      const decipher = createDecipheriv('aes-256-gcm', sealing, Buffer.from(iv, 'base64url'));
      decipher.setAuthTag(Buffer.from(tag, 'base64url'));
      return Buffer.concat([decipher.update(Buffer.from(body, 'base64url')), decipher.final()]).toString('utf8');
    },
  };
}
