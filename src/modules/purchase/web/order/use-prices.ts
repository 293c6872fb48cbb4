import { type Dispatch, type SetStateAction, useEffect } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { priceGoods } from '../../contract/order-calls.ts';
import type { Draft } from './draft.ts';

/**
 * Keeps the prices of lines at the supplier's tier for all pieces of a product on the order, as long as nobody typed one.
 */
export function usePrices(
  supplierId: string,
  currency: string,
  lines: readonly Draft[],
  setLines: Dispatch<SetStateAction<Draft[]>>,
): void {
  const asked = lines.flatMap(({ productId, qty, typed, gift }) =>
    qty && !typed && !gift ? [{ productId, qty }] : [],
  );
  const { data } = useCall(
    priceGoods,
    { body: { supplierId, lines: asked } },
    { enabled: supplierId !== '' && asked.length > 0 },
  );
  useEffect(() => {
    if (!data) return;
    const prices = new Map(data.map((row) => [row.productId, row.currency === currency ? row.unitPrice : null]));
    const wrong = (line: Draft) => {
      const price = prices.get(line.productId);
      return !line.typed && !line.gift && typeof price === 'string' && price !== line.unitPrice;
    };
    setLines((old) =>
      old.some(wrong)
        ? old.map((line) => (wrong(line) ? { ...line, unitPrice: prices.get(line.productId) ?? null } : line))
        : old,
    );
  }, [data, currency, setLines]);
}
