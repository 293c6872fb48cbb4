import { freightSteps, saveFreightBill } from '#modules/shipping/contract/freight/calls.ts';
import { saveCarrier } from '#modules/shipping/contract/transport/calls.ts';
import { moveSupplier, saveSupplier } from '#modules/supplier/contract.ts';
import type { Person, World } from './world.ts';

/** A bill of a new carrier for one ship order (its number), CNY, shared by pieces; written by a clerk and confirmed by the owner. */
export async function billFreight(world: World, owner: Person, order: string, amount: string): Promise<void> {
  const clerk = await world.member(owner, ['erp:freight:view', 'erp:freight:add', 'amz:ship:view']);
  const { id: supplierId } = await owner.call(saveSupplier, { body: { shortName: '远航货代' } });
  await owner.call(moveSupplier, { body: { id: supplierId, action: 'activate' } });
  const { id: carrierId } = await owner.call(saveCarrier, {
    body: { name: '远航', code: 'YH', supplierId, channels: [{ name: '海派', mode: 'SEA', country: 'US' }] },
  });
  const { id } = await clerk.call(saveFreightBill, {
    body: {
      carrierId,
      billNo: 'YH-1',
      day: world.clock.today(),
      base: 'PIECES',
      lines: [{ reference: order, amount }],
    },
  });
  await clerk.call(freightSteps.submit, { body: { id } });
  await owner.call(freightSteps.confirm, { body: { id } });
}
