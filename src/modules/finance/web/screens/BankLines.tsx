import '../finance.css';
import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { call, useCall } from '#kit/web/api/index.ts';
import { FigureStrip } from '#kit/web/cards/index.ts';
import { Money } from '#kit/web/cells/index.ts';
import { ReasonDialog } from '#kit/web/form/index.ts';
import { type FilterValue, ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { listAccounts } from '../../contract/accounts.ts';
import {
  autoMatch,
  BankFilter,
  BankRow,
  countBank,
  exportBank,
  ignoreBank,
  listBank,
  MATCH,
  reconcileBank,
  restoreBank,
} from '../../contract/bank.ts';
import { BankImport, refreshBank } from '../BankDialogs.tsx';
import { BankMatch } from '../BankMatch.tsx';

const idsOf = (rows: readonly BankRow[]) => rows.map((row) => row.id);

const onlyOf = (filter: FilterValue) => {
  const chosen = filter.cashAccount as readonly string[] | undefined;
  return chosen?.length === 1 ? chosen[0] : undefined;
};

/** 余额调节: the books beside the bank, and what makes the difference. */
function Reconcile({ account }: { account: string }) {
  const { data } = useCall(reconcileBank, { body: { cashAccountId: account } }, { staleTime: 0 });
  if (!data?.from) return null;
  const money = (amount: string) => <Money amount={amount} currency={data.currency} />;
  return (
    <FigureStrip
      count={7}
      figures={[
        { key: 'bank', label: '银行余额', hint: `截至 ${data.to}`, value: money(data.bank) },
        { key: 'book', label: '账面余额', value: money(data.book) },
        { key: 'difference', label: '差额', hint: '银行 − 账面', value: money(data.difference) },
        { key: 'opening', label: '期初差额', hint: `${data.from} 之前`, value: money(data.opening) },
        {
          key: 'unbooked',
          label: '银行已记账面未记',
          hint: `${data.unbooked.count} 笔`,
          value: money(data.unbooked.amount),
        },
        {
          key: 'unbanked',
          label: '账面已记银行未记',
          hint: `${data.unbanked.count} 笔`,
          value: money(data.unbanked.amount),
        },
        { key: 'ignored', label: '已忽略', hint: `${data.ignored.count} 笔`, value: money(data.ignored.amount) },
      ]}
    />
  );
}

/** 银行流水: what the bank says, matched with the journal of the account. */
export default function BankLines() {
  const [importing, setImporting] = useState(false);
  const [shown, setShown] = useState<readonly BankRow[]>([]);
  const [leaving, setLeaving] = useState<readonly BankRow[]>();
  const mayMatch = useAllowed(MATCH);
  const { data } = useCall(listAccounts, {}, { staleTime: 30_000 });
  const account = new URLSearchParams(useTab().address.split('?')[1]).get('f.cashAccount') ?? undefined;
  const one = account && !account.includes(',') ? account : undefined;
  const auto = async () => {
    const { matched } = await call(autoMatch, { body: { cashAccountId: one ?? '' } }, {});
    notice.success(matched === 0 ? '没有可以自动匹配的流水' : `已匹配 ${matched} 笔`);
    await refreshBank();
  };
  const restore = async (rows: readonly BankRow[]) => {
    await call(restoreBank, { body: { ids: idsOf(rows) } }, {});
    await refreshBank();
  };
  const closed = (row: BankRow) => (row.state === 'OPEN' ? undefined : '已匹配或已忽略');
  return (
    <>
      <ListScreen
        name="finance/bank"
        title="银行流水"
        unit="笔"
        density="dense"
        endpoint={listBank}
        exportEndpoint={exportBank}
        row={BankRow}
        filter={BankFilter}
        tabs={{ field: 'state', counts: countBank }}
        options={{ cashAccount: data?.map(({ id, name }) => ({ value: id, label: name })) }}
        onOpen={(row) => setShown([row])}
        current={shown[0]?.id}
        head={
          <Allowed code={MATCH}>
            <Button
              disabled={!one}
              title={one ? undefined : '请先筛选一个账户'}
              onClick={() => void auto().catch(() => undefined)}
            >
              自动匹配
            </Button>
            <Button type="primary" onClick={() => setImporting(true)}>
              导入流水
            </Button>
          </Allowed>
        }
        above={(filter) => {
          const only = onlyOf(filter);
          return only ? <Reconcile account={only} /> : null;
        }}
        {...(mayMatch
          ? {
              batch: [
                { label: '合并匹配', primary: true, unfit: closed, onClick: (rows: BankRow[]) => setShown(rows) },
                { label: '忽略', unfit: closed, onClick: (rows: BankRow[]) => setLeaving(rows) },
              ],
            }
          : {})}
        actions={(row) => [
          { label: row.state === 'MATCHED' ? '查看' : '匹配', edits: true, onClick: () => setShown([row]) },
          ...(mayMatch && row.state === 'OPEN' ? [{ label: '忽略', onClick: () => setLeaving([row]) }] : []),
          ...(mayMatch && row.state === 'IGNORED' ? [{ label: '恢复', onClick: () => void restore([row]) }] : []),
        ]}
        empty={
          <Empty
            title="还没有银行流水"
            text="从网银导出流水（.xlsx 或 .csv），选择账户导入，再与账户流水和请款单逐笔匹配。"
          />
        }
        note="筛选一个账户后显示余额调节"
      />
      {importing && <BankImport account={one} onClose={() => setImporting(false)} />}
      <BankMatch key={idsOf(shown).join()} lines={shown} onClose={() => setShown([])} />
      {leaving && (
        <ReasonDialog
          title={`忽略 ${leaving.length} 笔银行流水`}
          okText="忽略"
          onSend={(reason) =>
            call(ignoreBank, { body: { ids: idsOf(leaving), reason } }, { quiet: true }).then(refreshBank)
          }
          onClose={() => setLeaving(undefined)}
        >
          不属于公司账目的流水，例如银行更正。它仍在余额调节里单独列出，可以随时恢复。
        </ReasonDialog>
      )}
    </>
  );
}
