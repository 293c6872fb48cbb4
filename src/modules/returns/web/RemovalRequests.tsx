import type { ReactNode } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { REMOVE, RequestFilter, RequestRow, requests, resubmitRemoval } from '../contract/removals.ts';

interface Props {
  title: string;
  tabs: { field: string; apart: boolean };
  modes: string[];
  head: ReactNode;
  /** Shows the order of a number, which the report tells of. */
  onOrder: (number: string) => void;
}

const AGAIN = ['rejected', 'unknown'];

/** 我的移除申请: what was asked for here, whether Amazon took it, and from the report on the order that came of it. */
export function RemovalRequests({ title, tabs, modes, head, onOrder }: Props) {
  const sites = useSiteOptions();
  const may = useAllowed(REMOVE);
  const again = useSend(resubmitRemoval, {
    refreshes: [requests.list],
    onSuccess: ({ sent }) => notice.success(sent ? '已重新提交，等待亚马逊受理' : '亚马逊已受理，无需重新提交'),
  });
  const open = (row: RequestRow) => (row.told === 'yes' ? onOrder(row.number) : undefined);
  return (
    <ListScreen
      name="returns/removals"
      title={title}
      unit="个申请"
      endpoint={requests.list}
      exportEndpoint={requests.export}
      row={RequestRow}
      filter={RequestFilter}
      options={{ sites }}
      tabs={tabs}
      modes={modes}
      defaults={{ view: 'requests' }}
      head={head}
      onOpen={open}
      columns={{
        number: {
          render: (row) =>
            row.told === 'yes' ? (
              <button type="button" className="link" onClick={() => onOrder(row.number)}>
                {row.number}
              </button>
            ) : (
              row.number
            ),
          text: (row) => row.number,
        },
      }}
      {...(may
        ? {
            actions: (row: RequestRow) =>
              AGAIN.includes(row.state)
                ? [{ label: '重新提交', onClick: () => again.mutate({ body: { id: row.id } }) }]
                : [],
          }
        : {})}
      empty={<Empty title="还没有移除申请" text="在这里新建的移除会先列在这里，出现在亚马逊报告后可打开移除订单。" />}
    />
  );
}
