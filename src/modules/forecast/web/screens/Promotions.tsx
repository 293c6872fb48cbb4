import { Button } from 'antd';
import { useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { EDIT } from '../../contract/fields.ts';
import {
  copyPromotions,
  dropPromotions,
  listPromotionDays,
  PromotionFilter,
  PromotionRow,
} from '../../contract/promotions.ts';
import { PromotionDialog } from '../PromotionDialog.tsx';

const idsOf = (rows: readonly PromotionRow[]) => ({ body: { ids: rows.map(({ id }) => id) } });

/** 促销日历: days on which sites sell otherwise than usual, what is expected of them and what they brought. */
export default function Promotions() {
  const sites = useSiteOptions();
  const mayEdit = useAllowed(EDIT);
  const [editing, setEditing] = useState<PromotionRow | 'new'>();
  const refreshes = [listPromotionDays];
  const copy = useSend(copyPromotions, {
    refreshes,
    onSuccess: ({ count }) => notice.success(count > 0 ? `已复制 ${count} 个活动到下一年` : '下一年已有这些活动'),
  });
  const drop = useSend(dropPromotions, {
    refreshes,
    onSuccess: ({ count }) => notice.success(`已删除 ${count} 个活动，下次计算预测时生效`),
  });
  const add = (
    <Button type="primary" onClick={() => setEditing('new')}>
      新增活动
    </Button>
  );
  const batch = [
    { label: '复制到下一年', onClick: (rows: PromotionRow[]) => copy.mutate(idsOf(rows)) },
    { label: '删除', danger: true, onClick: (rows: PromotionRow[]) => drop.mutate(idsOf(rows)) },
  ];
  return (
    <>
      <ListScreen
        name="forecast/promotions"
        title="促销日历"
        unit="个活动"
        endpoint={listPromotionDays}
        row={PromotionRow}
        filter={PromotionFilter}
        options={{ sites }}
        {...(mayEdit ? { batch, onOpen: setEditing, head: add } : {})}
        note="按站点日；活动日不当作平时的需求，计划中的活动按预期倍数或历史同类活动放大预测"
        empty={
          <Empty
            title="还没有促销活动"
            text="登记秒杀、优惠券、会员日等活动的日期，预测会剔除过去的活动日并放大将来的。"
          >
            {mayEdit && add}
          </Empty>
        }
      />
      {editing && (
        <PromotionDialog of={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />
      )}
    </>
  );
}
