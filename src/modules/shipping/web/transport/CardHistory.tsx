import { DownloadOutlined, PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { download, useCall } from '#kit/web/api/index.ts';
import { LineTrend } from '#kit/web/charts/index.ts';
import { type FileCheck, ImportDialog } from '#kit/web/import/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { cardSheet, channelCards } from '../../contract/transport/calls.ts';
import { TRANS_EDIT, TRANS_IMPORT } from '../../contract/transport/fields.ts';
import { CardRow, type ChannelRow } from '../../contract/transport/price.ts';
import { CardDialog } from './CardDialog.tsx';
import { cardImport } from './card-import.ts';
import { refreshCarriers } from './shared.ts';

/** Lines in the chart: more tiers than that are no picture. */
const MOST_LINES = 3;

/** The price of a quantity in a card; null where none of its tiers covers it. */
const priceAt = (card: CardRow, quantity: string) =>
  card.tiers.filter(({ from }) => Number(from) <= Number(quantity)).at(-1)?.price ?? null;

/** Prices of the newest card's first tiers through all versions in its currency. */
function Trend({ cards }: { cards: readonly CardRow[] }) {
  const [newest] = cards;
  const same = cards.filter((card) => card.currency === newest?.currency).reverse();
  if (!newest || same.length < 2) return null;
  const series = newest.tiers.slice(0, MOST_LINES).map(({ from }) => ({
    name: `${from}起`,
    values: same.map((card) => priceAt(card, from)),
    measure: { kind: 'money' as const, currency: newest.currency },
    sparse: true,
  }));
  return (
    <div className="trans-chart">
      <LineTrend labels={same.map((card) => card.validFrom)} series={series} label="各版价卡单价" height={160} />
    </div>
  );
}

/** 价卡: what a channel costs, cost and will cost; a new version is entered or comes from a file. */
export function CardHistory({ channel }: { channel: ChannelRow }) {
  const { data } = useCall(channelCards, { params: { id: channel.id } }, { staleTime: 0 });
  const [open, setOpen] = useState<'add' | 'import'>();
  const close = () => setOpen(undefined);
  return (
    <section className="trans-section" aria-label="价卡">
      <div className="trans-head">
        <h2>{channel.name} · 价卡</h2>
        <span className="label">价卡录入后不再改动，调价请新增一版</span>
        <span className="spring" />
        <Button
          size="small"
          icon={<DownloadOutlined />}
          onClick={() => void download(cardSheet, { params: { id: channel.id }, query: {} })}
        >
          下载
        </Button>
        <Allowed code={TRANS_IMPORT}>
          <Button size="small" onClick={() => setOpen('import')}>
            导入
          </Button>
        </Allowed>
        <Allowed code={TRANS_EDIT}>
          <Button size="small" type="primary" icon={<PlusOutlined />} onClick={() => setOpen('add')}>
            新增价卡
          </Button>
        </Allowed>
      </div>
      {data && <Trend cards={data} />}
      <LineTable row={CardRow} rows={data} label="价卡" none="还没有价卡" />
      {open === 'add' && <CardDialog channel={channel} onClose={close} />}
      <ImportDialog<FileCheck>
        title={`导入价卡 · ${channel.name}`}
        open={open === 'import'}
        onClose={close}
        {...cardImport(channel.id)}
        onDone={() => void refreshCarriers()}
        accept=".xlsx"
      />
    </section>
  );
}
