import { Modal } from 'antd';
import { useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { solicitReviews } from '../../contract/acts.ts';
import { REFRESHES } from './refresh.ts';

const SHOWN = 10;

/** Asks before it asks the buyers of orders for a review: that can be done once. */
export function useSolicit(): (ids: readonly string[]) => void {
  const send = useSend(solicitReviews, {
    refreshes: REFRESHES,
    onSuccess: ({ planned, left }) => {
      if (left.length === 0) return void notice.success(`已提交 ${planned} 个订单的评价请求`);
      const lines = left.slice(0, SHOWN).map(({ amazonOrderId, reason }) => `${amazonOrderId}：${reason}`);
      const more = left.length > SHOWN ? [`…共 ${left.length} 个`] : [];
      Modal.info({
        title: `已提交 ${planned} 个，${left.length} 个不符合条件`,
        content: [...lines, ...more].join('\n'),
        styles: { body: { whiteSpace: 'pre-line' } },
      });
    },
  });
  return (ids) => {
    Modal.confirm({
      title: `向 ${ids.length} 个订单的买家请求评价？`,
      content: '亚马逊会向买家发送一封商品评论与店铺反馈的请求，每个订单只能请求一次，且须在送达后 5 至 30 天内。',
      okText: '请求评价',
      onOk: () => send.mutate({ body: { ids: [...ids] } }),
    });
  };
}
