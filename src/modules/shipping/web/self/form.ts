import type { z } from 'zod';
import { Text } from '#kit/contract/field.ts';
import { Recipient, SelfInput, SelfWay } from '../../contract/self/input.ts';

const WAY = SelfWay.pick({ channelId: true, carrier: true, trackingNo: true }).shape;
const PLACE = SelfInput.pick({ warehouseId: true });
const REMARK = SelfInput.pick({ remark: true }).shape;
const TO = Recipient.extend({ recipient: Text(60, '收件人'), street: Text(200, '地址') }).shape;

/** What is asked of a document over orders; where it goes is the orders' own. */
export const PlatformForm = PLACE.extend(WAY).extend(REMARK);
/** What is asked of one that is typed by hand. */
export const OfflineForm = PLACE.extend({ authid: SelfInput.shape.authid }).extend(TO).extend(WAY).extend(REMARK);

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
