import { useState } from 'react';
import { ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import {
  PROMOTION_KINDS,
  PromotionFilter,
  PromotionRow,
  promotionProducts,
  promotions,
} from '../../contract/promotions.ts';
import { ProductsDrawer } from '../promotions/ProductsDrawer.tsx';

const KINDS = Object.entries(PROMOTION_KINDS).map(([value, { title }]) => ({ value, label: title }));

/** 促销效果: what each best deal and lightning deal sold. */
export default function Promotions() {
  const { active } = useTab();
  const [opened, setOpened] = useState<PromotionRow>();
  const sites = useSiteOptions();
  return (
    <>
      <ListScreen
        name="report/promotions"
        title="促销效果"
        unit="个"
        endpoint={promotions.list}
        exportEndpoint={promotions.export}
        row={PromotionRow}
        filter={PromotionFilter}
        options={{ sites, kinds: KINDS }}
        current={opened?.id}
        onOpen={setOpened}
        empty={
          <Empty
            title="还没有促销"
            text="授权店铺后每天自动获取促销效果报告；也可以在「上传报表」上传。亚马逊目前只给出 Best Deal 和秒杀。"
          />
        }
      />
      <ProductsDrawer
        row={active ? opened : undefined}
        endpoint={promotionProducts}
        onClose={() => setOpened(undefined)}
      />
    </>
  );
}
