import { sql } from 'kysely';
import type { Person, World } from '#test/support/world.ts';

/** Official exchange rates of days, as this company has uploaded them. */
export async function putRates(
  world: World,
  person: Person,
  rates: readonly { currency: string; day: string; rate: string }[],
): Promise<void> {
  await world.as(person, async (ctx) => {
    for (const { currency, day, rate } of rates) {
      await sql`INSERT INTO finance.day_rate (company_id, currency, day, rate, source, updated_by_name)
        VALUES (${ctx.companyId}, ${currency}, ${day}::date, ${rate}, '测试', '测试')`.execute(ctx.db);
    }
  });
}
