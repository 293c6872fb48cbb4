import { PrinterOutlined } from '@ant-design/icons';
import { Button, DatePicker } from 'antd';
import dayjs from 'dayjs';
import { useState } from 'react';
import { download, useCall } from '#kit/web/api/index.ts';
import { FigureLine } from '#kit/web/cards/index.ts';
import { Money } from '#kit/web/cells/index.ts';
import { companyDay } from '#kit/web/day.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { partyStatement, printStatement, StatementLine } from '../contract/payables.ts';
import { dayAgo } from './days.ts';
import { SubjectLink } from './SubjectLink.tsx';

interface Props {
  party: { id: string; name: string; currency: string } | undefined;
  onClose: () => void;
}

const FORMAT = 'YYYY-MM-DD';
/** In CNY no rate gains or loses anything. */
const OF_CNY = ['day', 'title', 'number', 'debit', 'credit', 'balance'] as const;
const COLUMNS: ColumnOverrides<StatementLine> = {
  number: {
    render: (row) => <SubjectLink number={row.number} type={row.sourceType} id={row.sourceId} />,
    text: (row) => row.number,
  },
};
const FOREIGN = [...OF_CNY, 'gain'] as const;

/** 对账单 of a party: opening, every change, closing. */
export function StatementDrawer({ party, onClose }: Props) {
  const [days, setDays] = useState<readonly [string, string]>([dayAgo(90), companyDay()]);
  const body = { partyId: party?.id ?? '', currency: party?.currency ?? 'CNY', from: days[0], to: days[1] };
  const { data } = useCall(partyStatement, { body }, { enabled: party !== undefined, keep: true });
  const money = (amount: string) => (data ? <Money amount={amount} currency={data.currency} /> : null);
  return (
    <DetailDrawer
      open={party !== undefined}
      onClose={onClose}
      title={party?.name ?? ''}
      subtitle={party && `往来对账单 · ${party.currency}`}
      extra={
        <Button
          size="small"
          icon={<PrinterOutlined />}
          onClick={() => void download(printStatement, { body }).catch(() => undefined)}
        >
          打印
        </Button>
      }
      foot={<span className="label">负数为我方欠款，正数为对方欠款或预付</span>}
    >
      <div className="finance-body">
        <DatePicker.RangePicker
          allowClear={false}
          value={[dayjs(days[0]), dayjs(days[1])]}
          onChange={(range) => {
            const [from, to] = range ?? [];
            if (from && to) setDays([from.format(FORMAT), to.format(FORMAT)]);
          }}
        />
        <FigureLine
          figures={
            data && [
              { key: 'opening', label: '期初', value: money(data.opening) },
              { key: 'credit', label: '应付增加', value: money(data.credit) },
              { key: 'debit', label: '付款与冲减', value: money(data.debit) },
              { key: 'closing', label: '期末', value: money(data.closing) },
              ...(data.currency === 'CNY'
                ? []
                : [{ key: 'gain', label: '汇兑损益', value: <Money amount={data.gain} currency="CNY" /> }]),
            ]
          }
        />
        <LineTable
          row={StatementLine}
          rows={data?.lines}
          columns={COLUMNS}
          only={data?.currency === 'CNY' ? OF_CNY : FOREIGN}
          label="往来对账单"
          none="这段时间没有往来"
        />
      </div>
    </DetailDrawer>
  );
}
