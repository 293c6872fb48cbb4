import { Button } from 'antd';
import { useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import {
  BindingFilter,
  BindingRow,
  listBindings,
  pauseBindings,
  resumeBindings,
  unbindListings,
} from '../contract/bindings.ts';
import { EDIT, RUN } from '../contract/rules.ts';
import { BindDialog } from './BindDialog.tsx';
import { REFRESHES } from './refreshes.ts';

/** Listings under a rule. */
export function Bindings({ ruleId, archived }: { ruleId: string; archived: boolean }) {
  const [binding, setBinding] = useState(false);
  const mayEdit = useAllowed(EDIT) && !archived;
  const mayRun = useAllowed(RUN) && !archived;
  const said = (words: string) => ({
    refreshes: REFRESHES,
    onSuccess: ({ count }: { count: number }) => notice.success(`已${words} ${count} 个商品`),
  });
  const unbind = useSend(unbindListings, said('解绑'));
  const pause = useSend(pauseBindings, said('暂停'));
  const resume = useSend(resumeBindings, said('恢复'));
  const ids = (rows: readonly BindingRow[]) => ({ body: { ids: rows.map(({ id }) => id) } });
  return (
    <>
      <ListScreen
        name="repricing/bindings"
        title="绑定商品"
        unit="个商品"
        endpoint={listBindings}
        row={BindingRow}
        filter={BindingFilter}
        fixed={{ ruleId }}
        batch={[
          ...(mayRun
            ? [
                { label: '恢复', primary: true, onClick: (rows: BindingRow[]) => resume.mutate(ids(rows)) },
                { label: '暂停', onClick: (rows: BindingRow[]) => pause.mutate(ids(rows)) },
              ]
            : []),
          ...(mayEdit ? [{ label: '解绑', onClick: (rows: BindingRow[]) => unbind.mutate(ids(rows)) }] : []),
        ]}
        {...(mayEdit
          ? {
              toolbar: (
                <Button size="small" onClick={() => setBinding(true)}>
                  绑定商品
                </Button>
              ),
            }
          : {})}
        empty={
          <Empty title="还没有绑定商品" text="每个商品都要填写最低价和最高价。">
            {mayEdit && (
              <Button type="primary" onClick={() => setBinding(true)}>
                绑定商品
              </Button>
            )}
          </Empty>
        }
      />
      {binding && <BindDialog ruleId={ruleId} onClose={() => setBinding(false)} />}
    </>
  );
}
