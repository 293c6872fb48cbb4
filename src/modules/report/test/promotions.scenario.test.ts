import { afterAll, beforeAll, expect, test } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { runStream } from '#modules/marketplace/contract/sync.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld } from '#test/support/marketplace.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { US } from '#test/support/seller.ts';
import type { Person } from '#test/support/world.ts';
import {
  type CouponRow,
  couponProducts,
  coupons,
  type PromotionRow,
  promotionProducts,
  promotions,
} from '../contract/promotions.ts';

const SELLER = 'A1SANDBOX0001';
