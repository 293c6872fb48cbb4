import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { call } from '#kit/web/api/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { exportKingdee, exportYonyou } from '../../contract/entry-files.ts';
import { countVouchers, exportVouchers, listVouchers, voucherSteps } from '../../contract/voucher-calls.ts';
import {
  APPROVE,
  CREATE,
  CREATE_PATH,
  DETAIL,
  POST,
  VoucherFilter,
  VoucherRow,
  type VoucherState,
  voucher,
} from '../../contract/vouchers.ts';
import { isLeaf, useSubjectOptions } from '../choices.ts';
import { MakeDialog } from '../MakeDialog.tsx';
import { refreshVouchers } from '../refresh.ts';

const COLUMNS: ColumnOverrides<VoucherRow> = {
  number: {
    render: (row) => (
      <TabLink to={DETAIL} title={row.number} query={{ id: row.id }}>
        {row.number}
      </TabLink>
    ),
    text: (row) => row.number,
  },
};
const OTHER_PROGRAMS = [
  { label: '金蝶 KIS/K3 凭证引入', endpoint: exportKingdee },
  { label: '用友 T3/U8 凭证导入', endpoint: exportYonyou },
];
const notIn = (state: VoucherState, word: string) => (row: VoucherRow) =>
  row.state === state ? undefined : `「${voucher.states[row.state].title}」的凭证不能${word}`;

/** Takes one step with many vouchers, one after the other; the first refusal ends it, and what was done stays. */
async function all(step: 'approve' | 'post', rows: readonly VoucherRow[]): Promise<void> {
  try {
    for (const { id, version } of rows.toReversed()) await call(voucherSteps[step], { body: { id, version } }, {});
    notice.success(`已${voucher.transitions[step].title} ${rows.length} 张`);
  } finally {
    await refreshVouchers();
  }
}

/** 凭证: what is written, waits, and is in the books. */
export default function VoucherList() {
  const tab = useTab();
  const mayApprove = useAllowed(APPROVE);
  const mayPost = useAllowed(POST);
  const subjects = useSubjectOptions(isLeaf);
  const open = (row: VoucherRow) => tab.open(DETAIL, { title: row.number, query: { id: row.id } });
  const batch = [
    { step: 'approve', may: mayApprove, label: '审核', from: 'submitted' },
    { step: 'post', may: mayPost, label: '过账', from: 'approved' },
  ] as const;
  const [making, setMaking] = useState(false);
  const add = (
    <Allowed code={CREATE}>
      <Button onClick={() => setMaking(true)}>业务生成凭证</Button>
      <Button type="primary" onClick={() => tab.open(CREATE_PATH, { title: '录入凭证' })}>
        录入凭证
      </Button>
    </Allowed>
  );
  return (
    <>
      <ListScreen
        name="accounting/vouchers"
        title="凭证"
        unit="张"
        density="dense"
        endpoint={listVouchers}
        exportEndpoint={exportVouchers}
        otherExports={OTHER_PROGRAMS}
        row={VoucherRow}
        filter={VoucherFilter}
        options={{ subjects }}
        tabs={{ field: 'state', counts: countVouchers }}
        columns={COLUMNS}
        head={add}
        onOpen={open}
        batch={batch
          .filter(({ may }) => may)
          .map(({ step, label, from }) => ({
            label,
            unfit: notIn(from, label),
            onClick: (rows: VoucherRow[]) => void all(step, rows),
          }))}
        empty={
          <Empty
            title="还没有凭证"
            text="先在「科目」套用模板、录入期初，再录入凭证；提交后由他人审核，过账后计入账簿。"
          >
            {add}
          </Empty>
        }
        note="凭证号按凭证字和月份连续；作废的凭证保留号码"
      />
      <MakeDialog open={making} onClose={() => setMaking(false)} />
    </>
  );
}
