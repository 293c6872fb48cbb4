import type { Ctx } from '#kit/server/context.ts';
import { putEntity } from './settings/save.ts';

/**
 * An entity of the demo with numbers that are good in form: once the European account is connected, a site needs only to choose
 * it. What there is by then stays.
 */
export async function demoVat(ctx: Ctx): Promise<void> {
  const known = await ctx.db
    .selectFrom('vat.entity')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .limit(1)
    .executeTakeFirst();
  if (known) return;
  await putEntity(ctx, {
    name: 'Qihang Home Ltd',
    address: '12 Harbour Road\n518000 Shenzhen\nChina',
    ossCountry: 'DE',
    invoicePattern: 'INV-{country}-{yyyy}-{seq:5}',
    creditPattern: 'CN-{country}-{yyyy}-{seq:5}',
    numbers: [
      { country: 'DE', number: 'DE136695976' },
      { country: 'GB', number: 'GB980780684' },
      { country: 'FR', number: 'FR40303265045' },
    ],
    version: 0,
  });
}
