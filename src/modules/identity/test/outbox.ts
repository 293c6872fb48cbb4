import { inSystem } from '#kit/server/runtime.ts';
import type { World } from '#test/support/world.ts';

/** Texts that were to be sent to a phone or mailbox, newest first. */
export async function sentTo(world: World, target: string): Promise<string[]> {
  const rows = await inSystem(world.runtime, (db) =>
    db.selectFrom('kit.outbox').select('text').where('target', '=', target).orderBy('id', 'desc').execute(),
  );
  return rows.map((row) => row.text);
}

/** The newest code that was sent to a phone or mailbox. */
export async function codeOf(world: World, target: string): Promise<string> {
  const [text] = await sentTo(world, target);
  const code = /\d{6}/.exec(text ?? '')?.[0];
  if (!code) throw new Error(`nothing was sent to ${target}`);
  return code;
}

let next = 10_000_000;

/** A phone that no other test uses. */
export function newPhone(): string {
  next += 1;
  return `139${next}`;
}
