import { useState } from 'react';
import { ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { CouponFilter, CouponRow, couponProducts, coupons } from '../../contract/promotions.ts';
import { ProductsDrawer } from '../promotions/ProductsDrawer.tsx';

/** 优惠券效果: how often each coupon was clipped and redeemed, what it sold and what it cost. */
export default function Coupons() {
  const { active } = useTab();
  const [opened, setOpened] = useState<CouponRow>();
  const sites = useSiteOptions();
  return (
    <>
      <ListScreen
        name="report/coupons"
        title="优惠券效果"
        unit="张"
        endpoint={coupons.list}
        exportEndpoint={coupons.export}
        row={CouponRow}
        filter={CouponFilter}
        options={{ sites }}
        current={opened?.id}
        onOpen={setOpened}
        empty={
          <Empty
            title="还没有优惠券"
            text="授权店铺后每天自动获取优惠券效果报告；也可以在「上传报表」上传。没有创建过优惠券的店铺这里为空。"
          />
        }
      />
      <ProductsDrawer
        row={active ? opened : undefined}
        endpoint={couponProducts}
        onClose={() => setOpened(undefined)}
      />
    </>
  );
}
