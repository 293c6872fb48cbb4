import { useState } from 'react';
import { ComparedScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import {
  CouponFilter,
  CouponRow,
  CouponSumFilter,
  CouponSumRow,
  couponProducts,
  couponSums,
  coupons,
} from '../../contract/promotions.ts';
import { ProductsDrawer } from '../promotions/ProductsDrawer.tsx';

const MEASURES = [
  { key: 'coupons', title: '优惠券数', kind: 'integer', chart: true },
  { key: 'clips', title: '领取次数', kind: 'integer', good: 'up' },
  { key: 'redemptions', title: '兑换次数', kind: 'integer', good: 'up', chart: true },
  { key: 'redeemed', title: '兑换率', kind: 'percent', good: 'up' },
  { key: 'spent', title: '花费', kind: 'money', chart: true },
  { key: 'couponSales', title: '销售额', kind: 'money', good: 'up', chart: true },
] as const;

/** 优惠券效果: how often each coupon was clipped and redeemed, what it sold and what it cost. */
export default function Coupons() {
  const { active } = useTab();
  const [opened, setOpened] = useState<CouponRow>();
  const sites = useSiteOptions();
  return (
    <>
      <ComparedScreen
        rows={{
          name: 'report/coupons',
          title: '优惠券效果',
          unit: '张',
          endpoint: coupons.list,
          exportEndpoint: coupons.export,
          row: CouponRow,
          filter: CouponFilter,
          options: { sites },
          current: opened?.id,
          onOpen: setOpened,
          empty: (
            <Empty
              title="还没有优惠券"
              text="授权店铺后每天自动获取优惠券效果报告；也可以在「上传报表」上传。没有创建过优惠券的店铺这里为空。"
            />
          ),
        }}
        sums={{
          name: 'report/couponSum',
          unit: '个站点',
          endpoint: couponSums.list,
          exportEndpoint: couponSums.export,
          trend: couponSums.trend,
          row: CouponSumRow,
          filter: CouponSumFilter,
          measures: MEASURES,
          step: 'day',
          drill: (row) => ({ sites: row.site }),
        }}
      />
      <ProductsDrawer
        row={active ? opened : undefined}
        endpoint={couponProducts}
        onClose={() => setOpened(undefined)}
      />
    </>
  );
}
