import pg from 'pg';
import type { Person, World } from '#test/support/world.ts';
import { findNitofyNums } from '../contract/messages.ts';
import { type Reminder, remind } from '../server/remind.ts';

/** Connections as the owner of the tables, bound by no row-level security. */
export function adminOf(world: World): pg.Pool {
  const pool = new pg.Pool({ connectionString: world.databaseUrl, max: 2 });
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('error', () => {});
  return pool;
}

/** Reminds somebody, as some rule of his company would. */
export function tell(world: World, whom: Person, title: string, more: Partial<Reminder> = {}): Promise<string | null> {
  return world.as(whom, (ctx) => remind(ctx, { to: [whom.userId], title, event: 'test.something', ...more }));
}

/** Unread announcements and reminders (private messages among them), as the header counts them. */
export async function badge(person: Person): Promise<{ sys: number; nti: number }> {
  const rows = await person.call(findNitofyNums, {});
  const of = (ftype: number) => rows.find((row) => row.ftype === ftype)?.nums ?? 0;
  return { sys: of(1), nti: of(2) + of(3) };
}
