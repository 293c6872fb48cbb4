import { useCall } from '#kit/web/api/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import {
  type CouponRow,
  couponProducts,
  PromotedRow,
  type PromotionRow,
  type promotionProducts,
} from '../../contract/promotions.ts';

interface Props {
  row: CouponRow | PromotionRow | undefined;
  endpoint: typeof couponProducts | typeof promotionProducts;
  onClose: () => void;
}

/** The products of a coupon, of which Amazon tells no figures, or of a promotion, with what each sold in it. */
export function ProductsDrawer({ row, endpoint, onClose }: Props) {
  const { id = '', day = '' } = row ?? {};
  const { data, error, refetch } = useCall(endpoint, { query: { id, day } }, { enabled: row !== undefined });
  return (
    <DetailDrawer
      open={row !== undefined}
      onClose={onClose}
      title={row?.name}
      subtitle={row && `${row.store.name} ${row.store.country} · ${row.day} 开始`}
    >
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {row && !error && (
        <LineTable
          row={PromotedRow}
          rows={data}
          only={endpoint === couponProducts ? ['product'] : ['product', 'views', 'units', 'productSales']}
          none="亚马逊没有给出商品"
          label="活动商品"
        />
      )}
    </DetailDrawer>
  );
}
