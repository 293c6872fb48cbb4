import { CheckCircleFilled, ExclamationCircleFilled } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { z } from 'zod';
import { formatInteger } from '#kit/contract/format.ts';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { When } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { ListHead } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { CheckResult, latestHealth, runHealthNow } from '../../contract/inventory.ts';
import '../warehouse.css';

const Sample = z.object({
  what: z.string().meta({ title: '对象', kind: 'code', width: 420 }),
  expected: z.string().meta({ title: '应为', kind: 'code', width: 120 }),
  found: z.string().meta({ title: '实为', kind: 'code', width: 120 }),
});

/** 库存自检: the laws of the ledger, each with its proof or with what breaks it. */
export default function Health() {
  const { data } = useCall(latestHealth, {});
  const run = useSend(runHealthNow, { refreshes: [latestHealth] });
  const [open, setOpen] = useState<CheckResult>();
  return (
    <div className="warehouse-page">
      <ListHead title="库存自检">
        <Button type="primary" loading={run.isPending} onClick={() => run.mutate({ body: {} })}>
          立即自检
        </Button>
      </ListHead>
      <div className="warehouse-body">
        {data === null && <Empty title="还没有自检" text="系统每晚自动检查一次，也可以立即检查。" />}
        {data && (
          <>
            <p className={`proof ${data.broken === 0 ? 'is-exact' : 'is-off'}`} role="status">
              {data.broken === 0 ? <CheckCircleFilled /> : <ExclamationCircleFilled />}
              <span>
                {data.broken === 0 ? '所有规则成立' : `发现 ${formatInteger(data.broken)} 处异常，点击规则查看明细`}
              </span>
              <span className="text2">
                <When at={data.at} />
                ，用时 {formatInteger(data.ms)} 毫秒。系统只检查，不会自行修改库存。
              </span>
            </p>
            <LineTable
              label="库存规则"
              row={CheckResult}
              rows={data.results}
              rowId={(row) => row.code}
              only={['code', 'title', 'text', 'broken']}
              onOpen={setOpen}
            />
          </>
        )}
      </div>
      <DetailDrawer
        open={open !== undefined}
        onClose={() => setOpen(undefined)}
        title={open?.title ?? ''}
        subtitle={open?.text}
      >
        <LineTable
          label="异常明细"
          row={Sample}
          rows={open?.samples}
          rowId={(row, index) => `${index} ${row.what}`}
          none="没有异常"
        />
      </DetailDrawer>
    </div>
  );
}
