import type { Suspicion } from './suspect.ts';

/** Why a box is suspected to be lost, for our people. */
export function reasonOf({ alike, lost, signed, unsigned, counting }: Suspicion): string {
  const fits = alike === lost ? '' : `，内容相同的 ${alike} 箱中丢失 ${lost} 箱`;
  return [
    `整箱内容正好等于缺收数量${fits}`,
    ...(unsigned ? ['同货件其他箱已签收，本箱没有'] : []),
    ...(signed ? ['承运商已签收'] : []),
    ...(counting ? ['货件仍在接收'] : []),
  ].join('；');
}

/** The same in English, for the marketplace. */
export function englishReason({ alike, lost, signed, unsigned }: Suspicion): string {
  const fits =
    alike === lost
      ? 'its content equals the missing units'
      : `${lost} of ${alike} boxes of this content equal the missing units`;
  return [
    fits,
    ...(unsigned ? ['other boxes of the shipment were signed for, this one was not'] : []),
    ...(signed ? ['the carrier had it signed for'] : []),
  ].join('; ');
}
