import { Button, Checkbox } from 'antd';
import { useEffect, useState } from 'react';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import { call, useCall } from '#kit/web/api/index.ts';
import { FigureLine } from '#kit/web/cards/index.ts';
import { Money } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { notice } from '#kit/web/notice.tsx';
import { Proof } from '#kit/web/proof/Proof.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import {
  type BankRow,
  Candidate,
  MATCH,
  matchBank,
  PayableRequest,
  suggestBank,
  unmatchBank,
} from '../contract/bank.ts';
import { PAY } from '../contract/requests.ts';
import { BankPayDialog, refreshBank } from './BankDialogs.tsx';

interface Props {
  lines: readonly BankRow[];
  onClose: () => void;
}

const nameOf = ([line, another]: readonly BankRow[], count: number) =>
  line && !another ? line.counterparty || line.summary || line.day : `${count} 笔银行流水`;

/** Lines of the bank beside entries of the journal: what is ticked must come to the same sum. */
export function BankMatch({ lines, onClose }: Props) {
  const mayMatch = useAllowed(MATCH);
  const mayPay = useAllowed(PAY);
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const [paying, setPaying] = useState<PayableRequest>();
  const [first] = lines;
  const ids = lines.map((line) => line.id);
  const { data } = useCall(suggestBank, { body: { ids } }, { enabled: lines.length > 0 });
  const done = (data?.matched.length ?? 0) > 0;
  const best = data?.candidates.filter((one) => one.best) ?? [];
  const only = best.length === 1 ? best[0]?.id : undefined;
  useEffect(() => setTicked(only ? [only] : []), [only]);
  const chosen = sum((data?.candidates ?? []).filter((one) => ticked.includes(one.id)).map((one) => one.amount));
  const fits = data !== undefined && ticked.length > 0 && new Decimal(chosen).eq(data.amount);
  const send = async (work: () => Promise<unknown>, text: string) => {
    await work();
    notice.success(text);
    await refreshBank();
    onClose();
  };
  const join = () => send(() => call(matchBank, { body: { ids, entries: [...ticked] } }, {}), '已匹配');
  const part = () => send(() => call(unmatchBank, { body: { id: first?.id ?? '' } }, {}), '已取消匹配');
  const tick = (id: string) => setTicked((old) => (old.includes(id) ? old.filter((one) => one !== id) : [...old, id]));
  const money = (amount: string) => (data ? <Money amount={amount} currency={data.currency} /> : null);
  return (
    <>
      <DetailDrawer
        open={lines.length > 0}
        onClose={onClose}
        title={nameOf(lines, lines.length)}
        subtitle={first && `${first.account} · ${first.day}${lines.length > 1 ? ' 等' : ''}`}
        foot={
          !done &&
          data && (
            <Proof
              total={data.amount}
              lines={chosen}
              currency={data.currency}
              text="合计一致，可以匹配"
              off="已选合计与银行流水不一致"
            />
          )
        }
        actions={
          mayMatch &&
          (done ? (
            <Button onClick={() => void part().catch(() => undefined)}>取消匹配</Button>
          ) : (
            <Button type="primary" disabled={!fits} onClick={() => void join().catch(() => undefined)}>
              匹配
            </Button>
          ))
        }
      >
        <div className="finance-body">
          <FigureLine
            figures={
              data && [
                { key: 'bank', label: '银行流水', value: money(data.amount) },
                {
                  key: 'book',
                  label: '已选账户流水',
                  value: money(done ? sum(data.matched.map((one) => one.amount)) : chosen),
                },
              ]
            }
          />
          {done ? (
            <LineTable row={Candidate} rows={data?.matched} rowId={({ id }) => id} label="已匹配的账户流水" />
          ) : (
            <>
              <LineTable
                row={Candidate}
                rows={data?.candidates}
                rowId={({ id }) => id}
                label="未匹配的账户流水"
                none="前后45天没有未匹配的账户流水"
                columns={{
                  day: {
                    render: (row) => (
                      <Checkbox checked={ticked.includes(row.id)} onChange={() => tick(row.id)}>
                        {row.day}
                      </Checkbox>
                    ),
                    text: (row) => row.day,
                  },
                }}
              />
              {data && data.requests.length > 0 && (
                <LineTable
                  row={PayableRequest}
                  rows={data.requests}
                  rowId={({ id }) => id}
                  label="待付款的请款单"
                  columns={{
                    number: {
                      render: (row) =>
                        mayPay ? (
                          <button type="button" className="link" onClick={() => setPaying(row)}>
                            {row.number} 付款
                          </button>
                        ) : (
                          row.number
                        ),
                      text: (row) => row.number,
                    },
                  }}
                />
              )}
            </>
          )}
        </div>
      </DetailDrawer>
      {paying && first && (
        <BankPayDialog
          line={first}
          request={paying}
          onClose={() => {
            setPaying(undefined);
            onClose();
          }}
        />
      )}
    </>
  );
}
