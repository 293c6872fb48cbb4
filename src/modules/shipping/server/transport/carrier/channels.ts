import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import type { ChannelInput } from '../../../contract/transport/carrier.ts';

interface Known {
  id: string;
  name: string;
  unit: string;
  priced: boolean;
}

async function knownOf(ctx: Ctx, carrier: string): Promise<Map<string, Known>> {
  const { rows } = await sql<Known>`
    SELECT c.id, c.name, c.bill_unit AS unit, EXISTS (
             SELECT FROM shipping.price_version AS v WHERE v.company_id = c.company_id AND v.channel_id = c.id) AS priced
      FROM shipping.channel AS c WHERE c.company_id = ${ctx.companyId} AND c.carrier_id = ${carrier}`.execute(ctx.db);
  return new Map(rows.map((row) => [row.id, row]));
}

function requireFitting(known: ReadonlyMap<string, Known>, channels: readonly ChannelInput[]): void {
  for (const { id, name, billUnit } of channels) {
    const before = id === undefined ? undefined : known.get(id);
    if (id !== undefined && !before) throw notFound('渠道不存在');
    if (before?.priced && before.unit !== billUnit) {
      throw refused(`渠道【${name}】已有价卡，不能修改计费单位，请停用后新增渠道`, 'B1323');
    }
    const other = [...known.values()].find((one) => one.id !== id && one.name.toLowerCase() === name.toLowerCase());
    if (other && !channels.some((one) => one.id === other.id)) throw refused(`渠道【${name}】已存在`, 'B1322');
  }
}

/**
 * Writes channels of a carrier: those with an id are changed, others are new, and those that are not named stay.
 * @throws notFound for a channel of another carrier, refused B1322 a name that is taken, B1323 another unit of a channel
 *   whose prices are in the old one
 */
export async function putChannels(ctx: Ctx, carrier: string, channels: readonly ChannelInput[]): Promise<void> {
  if (channels.length === 0) return;
  requireFitting(await knownOf(ctx, carrier), channels);
  await sql`
    INSERT INTO shipping.channel (company_id, id, carrier_id, name, mode, country, zone, days_min, days_max, bill_unit,
      divisor, weight_step, round_per, min_billable, split_rate, break_up, kg_per_cbm, disabled)
    SELECT ${ctx.companyId}, coalesce(r.id, uuidv7()), ${carrier}, r.name, r.mode, r.country, r.zone, r."daysMin",
           r."daysMax", r."billUnit", r.divisor, r."weightStep", r."roundPer", r."minBillable", r."splitRate", r."breakUp",
           r."kgPerCbm", r.disabled
      FROM jsonb_to_recordset(${JSON.stringify(channels)}::jsonb)
        AS r(id uuid, name text, mode text, country text, zone text, "daysMin" int, "daysMax" int, "billUnit" text,
             divisor int, "weightStep" numeric, "roundPer" text, "minBillable" numeric, "splitRate" numeric,
             "breakUp" boolean, "kgPerCbm" numeric, disabled boolean)
    ON CONFLICT (company_id, id) DO UPDATE
       SET name = excluded.name, mode = excluded.mode, country = excluded.country, zone = excluded.zone,
           days_min = excluded.days_min, days_max = excluded.days_max, bill_unit = excluded.bill_unit,
           divisor = excluded.divisor, weight_step = excluded.weight_step, round_per = excluded.round_per,
           min_billable = excluded.min_billable, split_rate = excluded.split_rate, break_up = excluded.break_up,
           kg_per_cbm = excluded.kg_per_cbm, disabled = excluded.disabled`.execute(ctx.db);
}
