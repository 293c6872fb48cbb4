import type { Reply } from '#kit/contract/endpoint.ts';
import { Empty } from '#kit/web/states/index.ts';
import type { HomeFilter, setup } from '../contract.ts';
import { SyncCard } from './cards/Sync.tsx';
import { useLinks } from './links.ts';

/** Before there is anything to show: the steps to it, done ones ticked, and the first synchronisation as it goes on. */
export function FirstUse({ state, filter }: { state: Reply<typeof setup>; filter: HomeFilter }) {
  const links = useLinks(filter);
  return (
    <>
      <div className="home-first">
        <Empty
          title="欢迎使用"
          text="完成以下步骤后，这里会显示销售、库存、结算和利润。"
          steps={[
            {
              title: '授权店铺',
              hint: '连接亚马逊店铺；没有接口时也可以上传报表',
              done: state.authorised,
              action: { label: '去授权', onClick: links.stores },
            },
            {
              title: '首次同步',
              hint: state.authorised ? '订单、商品、库存和结算正在同步' : '授权后自动开始',
              done: state.synced && state.authorised,
              ...(state.authorised ? { action: { label: '查看进度', onClick: links.stores } } : {}),
            },
            {
              title: '录入采购成本',
              hint: '有了成本才能计算毛利润',
              done: state.costed,
              action: { label: '去录入', onClick: links.costs },
            },
          ]}
        />
      </div>
      {state.authorised && <SyncCard filter={filter} height={220} />}
    </>
  );
}
