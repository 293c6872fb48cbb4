import '../finance.css';
import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { ReasonDialog } from '#kit/web/form/index.ts';
import { type FilterValue, ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import {
  type AccountRow,
  exportJournal,
  JournalFilter,
  JournalRow,
  listAccounts,
  listJournal,
  undoJournal,
} from '../../contract/accounts.ts';
import { AccountCards } from '../AccountCards.tsx';
import { AccountDialog } from '../AccountDialog.tsx';
import { AccountTrend } from '../AccountTrend.tsx';
import { CategoryDialog, JournalDialog, refreshMoney, TransferDialog } from '../JournalDialogs.tsx';

type Open = 'journal' | 'transfer' | 'category' | undefined;

/** The one account that the list is narrowed to. */
const onlyOf = (filter: FilterValue) => {
  const chosen = filter.cashAccount as readonly string[] | undefined;
  return chosen?.length === 1 ? chosen[0] : undefined;
};

/** Narrows the list to an account, or takes the narrowing away. */
function usePick(): (id: string) => void {
  const { address, rewrite } = useTab();
  return (id) => {
    const [path = '', query = ''] = address.split('?');
    const search = new URLSearchParams(query);
    if (search.get('f.cashAccount') === id) search.delete('f.cashAccount');
    else search.set('f.cashAccount', id);
    search.delete('page');
    rewrite(`${path}?${search}`);
  };
}

/** 资金账户: what is in each, how it went, and every entry of the journal. */
export default function Accounts() {
  const [open, setOpen] = useState<Open>();
  const [account, setAccount] = useState<AccountRow | 'new'>();
  const [undoing, setUndoing] = useState<JournalRow>();
  const mayEdit = useAllowed('fin:account:edit');
  const { data } = useCall(listAccounts, {}, { staleTime: 10_000 });
  const pick = usePick();
  const undo = useSend(undoJournal, { onSuccess: () => void refreshMoney(), quiet: true });
  const asked = new URLSearchParams(useTab().address.split('?')[1]).get('f.cashAccount') ?? undefined;
  const close = () => setOpen(undefined);
  const first = data?.find((one) => one.isDefault) ?? data?.find((one) => !one.disabled);
  return (
    <>
      <ListScreen
        name="finance/journal"
        title="资金账户"
        unit="笔"
        density="dense"
        endpoint={listJournal}
        exportEndpoint={exportJournal}
        row={JournalRow}
        filter={JournalFilter}
        options={{ cashAccount: data?.map(({ id, name }) => ({ value: id, label: name })) }}
        head={
          <Allowed code="fin:account:edit">
            <Button onClick={() => setOpen('category')}>收支项</Button>
            <Button onClick={() => setAccount('new')}>添加账户</Button>
            <Button onClick={() => setOpen('transfer')}>转账</Button>
            <Button type="primary" onClick={() => setOpen('journal')}>
              记一笔
            </Button>
          </Allowed>
        }
        above={(filter) => {
          const shown = onlyOf(filter) ?? first?.id;
          return (
            <>
              <AccountCards
                accounts={data ?? []}
                current={onlyOf(filter)}
                onPick={pick}
                onEdit={mayEdit ? setAccount : undefined}
              />
              {shown && <AccountTrend id={shown} />}
            </>
          );
        }}
        actions={(row) =>
          mayEdit && row.byHand && row.state === 'POSTED' ? [{ label: '撤销', onClick: () => setUndoing(row) }] : []
        }
        empty={
          <Empty
            title="还没有账户"
            text="添加银行卡、支付宝、跨境收款等账户并填写期初余额，之后每一笔收支都会留下流水。"
          >
            <Allowed code="fin:account:edit">
              <Button type="primary" onClick={() => setAccount('new')}>
                添加账户
              </Button>
            </Allowed>
          </Empty>
        }
      />
      <AccountDialog account={account} onClose={() => setAccount(undefined)} />
      {open === 'journal' && <JournalDialog account={asked} onClose={close} />}
      {open === 'transfer' && <TransferDialog account={asked} onClose={close} />}
      {open === 'category' && <CategoryDialog onClose={close} />}
      {undoing && (
        <ReasonDialog
          title={`撤销 ${undoing.number}`}
          okText="撤销"
          onSend={(reason) => undo.mutateAsync({ body: { postingId: undoing.postingId, reason } })}
          onClose={() => setUndoing(undefined)}
        >
          将按今天的日期记一笔相反的流水，原流水保留。
        </ReasonDialog>
      )}
    </>
  );
}
