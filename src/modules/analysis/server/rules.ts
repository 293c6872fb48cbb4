import { type RawBuilder, sql } from 'kysely';

/** How much the last 30, 15 and 7 days count in an average; they add up to 1. */
export interface Weights {
  weight30: string;
  weight15: string;
  weight7: string;
  /** Days without stock are left out where every day of the window is known. */
  skipOut: boolean;
}

/** What a company uses that has chosen nothing. */
export const USUAL: Weights = { weight30: '0.2', weight15: '0.3', weight7: '0.5', skipOut: false };

/** SQL of pieces sold in windows and of what shortens the windows; NULL where not known. */
interface PaceInput {
  units30: RawBuilder<unknown>;
  units15: RawBuilder<unknown>;
  units7: RawBuilder<unknown>;
  /** Whole days that the listing has been on sale. */
  openDays: RawBuilder<unknown>;
  /** Days of each window with stock. */
  stock30: RawBuilder<unknown>;
  stock15: RawBuilder<unknown>;
  stock7: RawBuilder<unknown>;
}

/**
 * SQL of the average of daily units, numeric of four decimals, never rounded to pieces: Σ weight · units ÷ days, where
 * the days of a window are at least one and no more than the listing has been on sale, or had stock. NULL where units are
 * not known. Source: rule 5.1 of the handbook.
 */
export function averageSql(input: PaceInput, weights: Weights): RawBuilder<string | null> {
  const part = (days: number, weight: string, units: RawBuilder<unknown>, stock: RawBuilder<unknown>) => {
    const stocked = weights.skipOut ? sql`coalesce(${stock}, ${sql.lit(days)})` : sql.lit(days);
    return sql`${weight}::numeric * ${units}
      / greatest(1, least(${sql.lit(days)}, coalesce(${input.openDays}, ${sql.lit(days)}), ${stocked}))::numeric`;
  };
  return sql`round(${part(30, weights.weight30, input.units30, input.stock30)}
    + ${part(15, weights.weight15, input.units15, input.stock15)}
    + ${part(7, weights.weight7, input.units7, input.stock7)}, 4)`;
}

/** SQL of pieces that can be sold soon: those for sale, and those that Amazon moves or handles (rule 5.2). */
export const SELLABLE = 'fulfillable + coalesce(reserved_transfer, 0) + coalesce(reserved_processing, 0)';

/** SQL of the page views, of rows with a share in percent, that showed our offer first (rule 5.4). */
export const FEATURED_VIEWS = 'featured * page_views / 100';

/** SQL of a ratio of two sums; NULL without a whole, never 0. */
export function ratioSql(part: string, whole: string): string {
  return `(${part})::numeric / nullif(${whole}, 0)`;
}
