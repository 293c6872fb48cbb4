import { useState } from 'react';
import { ComparedScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import {
  PROMOTION_KINDS,
  PromotionFilter,
  PromotionRow,
  PromotionSumFilter,
  PromotionSumRow,
  promotionProducts,
  promotionSums,
  promotions,
} from '../../contract/promotions.ts';
import { ProductsDrawer } from '../promotions/ProductsDrawer.tsx';

const KINDS = Object.entries(PROMOTION_KINDS).map(([value, { title }]) => ({ value, label: title }));

const MEASURES = [
  { key: 'promotions', title: '活动数', kind: 'integer', chart: true },
  { key: 'views', title: '浏览量', kind: 'integer', good: 'up' },
  { key: 'units', title: '销量', kind: 'integer', good: 'up', chart: true },
  { key: 'conversion', title: '转化率', kind: 'percent', good: 'up', chart: true },
  { key: 'promotionSales', title: '销售额', kind: 'money', good: 'up', chart: true },
] as const;

/** 促销效果: what each best deal and lightning deal sold. */
export default function Promotions() {
  const { active } = useTab();
  const [opened, setOpened] = useState<PromotionRow>();
  const sites = useSiteOptions();
  return (
    <>
      <ComparedScreen
        rows={{
          name: 'report/promotions',
          title: '促销效果',
          unit: '个',
          endpoint: promotions.list,
          exportEndpoint: promotions.export,
          row: PromotionRow,
          filter: PromotionFilter,
          options: { sites, kinds: KINDS },
          current: opened?.id,
          onOpen: setOpened,
          empty: (
            <Empty
              title="还没有促销"
              text="授权店铺后每天自动获取促销效果报告；也可以在「上传报表」上传。亚马逊目前只给出 Best Deal 和秒杀。"
            />
          ),
        }}
        sums={{
          name: 'report/promotionSum',
          unit: '个商品',
          endpoint: promotionSums.list,
          exportEndpoint: promotionSums.export,
          trend: promotionSums.trend,
          row: PromotionSumRow,
          filter: PromotionSumFilter,
          measures: MEASURES,
          step: 'day',
          drill: (row) => ({ asin: row.asin }),
        }}
      />
      <ProductsDrawer
        row={active ? opened : undefined}
        endpoint={promotionProducts}
        onClose={() => setOpened(undefined)}
      />
    </>
  );
}
