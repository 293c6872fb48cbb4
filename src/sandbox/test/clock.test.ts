import { describe, expect, it } from 'vitest';
import { steadily } from '../wire/clock.ts';
import { consentedSeller, SELLER_NOW } from './seller-support.ts';

describe('the clock of the machine', () => {
  it('stands still where it is put back a little, and follows where it is put back a lot', () => {
    let at = 1_000_000;
    const clock = steadily({ now: () => at });
    const told = [0, 5, -3, 2, 1, -60_000, -1, 6].map((step) => {
      at += step;
      return clock.now() - 1_000_000;
    });
    expect(told).toEqual([0, 5, 5, 5, 5, 5, -59_996, -59_990]);
  });

  it('never makes a report wait that is done at once', async () => {
    let at = SELLER_NOW;
    const throttleClock = steadily({ now: () => at });
    const { sandbox, good, marketplaceIds } = await consentedSeller({ throttleClock });
    try {
      const body = { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: marketplaceIds.slice(0, 1) };
      const { reportId } = await good({ method: 'POST', path: '/reports/2021-06-30/reports', body });
      at -= 7;
      const report = await good({ method: 'GET', path: `/reports/2021-06-30/reports/${reportId}` });
      expect(report.processingStatus).toBe('DONE');
    } finally {
      await sandbox.close();
    }
  });
});
