import { Button } from 'antd';
import { useMemo } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useSend } from '#kit/web/api/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { AUTHORIZE, CONFIG } from '../../contract/config.ts';
import { copyFlow, disableFlow, FlowFilter, FlowRow, listFlows, removeFlow } from '../../contract/flows.ts';
import { useKindOptions } from '../kinds.ts';

/** 流程管理 */
export default function FlowList() {
  const tab = useTab();
  const kinds = useKindOptions();
  const options = useMemo(() => ({ docType: kinds }), [kinds]);
  const mayEdit = useAllowed(CONFIG);
  const mayPublish = useAllowed(AUTHORIZE);
  const said = { refreshes: [listFlows], onSuccess: ({ message }: { message: string }) => notice.success(message) };
  const copy = useSend(copyFlow, said);
  const disable = useSend(disableFlow, said);
  const remove = useSend(removeFlow, { refreshes: [listFlows], onSuccess: () => notice.success('流程已删除') });
  const open = (row: FlowRow) => tab.open('/examine/flow', { title: row.name, query: { id: row.id } });
  const design = (row?: FlowRow) =>
    tab.open('/flow/designer', { title: row ? `设计 ${row.name}` : '新建流程', query: row ? { id: row.id } : {} });
  return (
    <ListScreen
      name="approval/flows"
      title="流程管理"
      unit="个流程"
      density="dense"
      endpoint={listFlows}
      row={FlowRow}
      filter={FlowFilter}
      options={options}
      tabs={{ field: 'state' }}
      onOpen={open}
      actions={(row) => [
        mayEdit
          ? { label: '设计', edits: true, onClick: () => design(row) }
          : { label: '查看', onClick: () => open(row) },
        { label: '详情与版本', onClick: () => open(row) },
        ...(mayEdit ? [{ label: '复制', onClick: () => copy.mutate({ params: { id: row.id } }) }] : []),
        ...(mayPublish && row.state === 'published'
          ? [{ label: '停用', onClick: () => disable.mutate({ params: { id: row.id } }) }]
          : []),
        ...(mayEdit && row.no === null
          ? [{ label: '删除', onClick: () => remove.mutate({ params: { id: row.id } }) }]
          : []),
      ]}
      head={
        <Allowed code={CONFIG}>
          <Button type="primary" onClick={() => design()}>
            新建流程
          </Button>
        </Allowed>
      }
    />
  );
}
