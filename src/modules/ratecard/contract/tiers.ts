import type { z } from 'zod';
import { Choice } from '#kit/contract/field.ts';

/** Size tiers of the published fulfilment fees: the United States, then the United Kingdom and Germany. */
export const FeeTier = Choice(
  {
    SMALL_STANDARD: '小号标准尺寸',
    LARGE_STANDARD: '大号标准尺寸',
    SMALL_BULKY: '小号大件',
    LARGE_BULKY: '大号大件',
    EXTRA_50: '超大件（0–50磅）',
    EXTRA_70: '超大件（50–70磅）',
    EXTRA_150: '超大件（70–150磅）',
    EXTRA_MORE: '超大件（150磅以上）',
    LIGHT_ENVELOPE: '轻型信封',
    STANDARD_ENVELOPE: '标准信封',
    LARGE_ENVELOPE: '大号信封',
    EXTRA_ENVELOPE: '超大号信封',
    SMALL_PARCEL: '小包裹',
    STANDARD_PARCEL: '标准包裹',
    SMALL_OVERSIZE: '小号大件（欧洲）',
    LIGHT_OVERSIZE: '轻型标准大件',
    HEAVY_OVERSIZE: '重型标准大件',
    LARGE_OVERSIZE: '大号标准大件',
    BULKY_OVERSIZE: '特大号大件',
    WEIGHTY_OVERSIZE: '超重型大件',
    SPECIAL_OVERSIZE: '特殊大件',
  },
  '尺寸分段',
);
export type FeeTier = z.infer<typeof FeeTier>;
