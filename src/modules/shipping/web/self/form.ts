import type { z } from 'zod';
import { Recipient, SelfInput, SelfWay } from '../../contract/self/input.ts';

const WAY = SelfWay.pick({ channelId: true, carrier: true, trackingNo: true }).shape;
const HEAD = SelfInput.pick({ warehouseId: true, remark: true });

/** What is asked of a document over orders; where it goes is the orders' own. */
export const PlatformForm = HEAD.extend(WAY);
/** What is asked of one that is typed by hand. */
export const OfflineForm = HEAD.extend({ authid: SelfInput.shape.authid }).extend(Recipient.shape).extend(WAY);

type Values = z.output<typeof PlatformForm> & Partial<z.output<typeof OfflineForm>>;

/** What a form begins with. */
export function startOf(input: SelfInput | undefined): Partial<Values> {
  if (!input) return {};
  const { warehouseId, remark, authid, to, way } = input;
  const { channelId = null, carrier = '', trackingNo = '' } = way ?? {};
  return { warehouseId, remark, authid, ...to, channelId, carrier, trackingNo };
}

/** The form as the call takes it; what the form does not ask of the way stays as it was. */
export function bodyOf(values: Values, input: SelfInput | undefined, isOffline: boolean) {
  const { warehouseId, remark, authid = null, channelId, carrier, trackingNo, ...to } = values;
  return {
    ...(input ? { id: input.id, version: input.version } : {}),
    origin: isOffline ? ('OFFLINE' as const) : ('PLATFORM' as const),
    warehouseId,
    remark,
    authid: isOffline ? authid : null,
    ...(isOffline ? { to: Recipient.parse(to) } : {}),
    way: { ...SelfWay.parse(input?.way ?? {}), channelId, carrier, trackingNo },
  };
}
