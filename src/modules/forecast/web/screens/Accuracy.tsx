import { Segmented } from 'antd';
import { useState } from 'react';
import { z } from 'zod';
import type { Reply } from '#kit/contract/endpoint.ts';
import { formatInteger, formatPercent } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { FigureLine } from '#kit/web/cards/index.ts';
import { type FilterValue, ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import {
  AccuracyBy,
  AccuracyFilter,
  AccuracyRow,
  accuracySummary,
  exportAccuracy,
  listAccuracy,
} from '../../contract/accuracy.ts';
import { EXPORT } from '../../contract/fields.ts';
import '../forecast.css';

type Summary = Reply<typeof accuracySummary>;
const PartRow = accuracySummary.reply.shape.parts.element.extend({
  key: z.string().meta({ hidden: true }),
  name: z.string().meta({ title: '分组', width: 150 }),
  items: z.int().meta({ title: '商品数', kind: 'integer', width: 80 }),
});
const WAYS = Object.entries(AccuracyBy.meta()?.states ?? {}).map(([value, { title }]) => ({
  value: value as z.infer<typeof AccuracyBy>,
  label: `按${title}`,
}));

const percent = (value: string | null) => (value === null ? '—' : formatPercent(value));

function figuresOf({ all }: Summary) {
  return [
    { key: 'wape', label: 'WAPE', value: percent(all.wape), hint: `${formatInteger(all.items)} 个商品` },
    { key: 'naive', label: '昨日持平WAPE', value: percent(all.naive), hint: `提升 ${percent(all.better)}` },
    { key: 'seasonal', label: '上周同日WAPE', value: percent(all.seasonal) },
    { key: 'lastYear', label: '去年同期WAPE', value: percent(all.lastYear), hint: '仅有去年数据的商品' },
    { key: 'bias', label: '偏差', value: percent(all.bias), hint: '大于 0 为高估' },
    { key: 'coverage', label: 'P80 / P90 覆盖率', value: `${percent(all.coverage80)} / ${percent(all.coverage90)}` },
    { key: 'added', label: '干预增值', value: percent(all.added), hint: '大于 0 说明干预有益' },
  ];
}

/** All items of the filter together, and by class, model or origin. */
function Overview({ filter }: { filter: FilterValue }) {
  const [by, setBy] = useState<z.infer<typeof AccuracyBy>>('class');
  const { data } = useCall(accuracySummary, { body: { by, filter: filter as AccuracyFilter } }, { keep: true });
  return (
    <div className="accuracy-overview">
      <FigureLine figures={data && figuresOf(data)} />
      <div className="accuracy-parts">
        <Segmented aria-label="分组" value={by} options={WAYS} onChange={setBy} />
        <LineTable
          label="分组准确率"
          row={PartRow}
          rows={data?.parts}
          rowId={(row) => row.key}
          none="还没有可以对照的预测"
        />
      </div>
    </div>
  );
}

/** 预测准确率: how forecasts did beside what anybody could have said, in all and by SKU. */
export default function Accuracy() {
  const sites = useSiteOptions();
  const mayExport = useAllowed(EXPORT);
  return (
    <ListScreen
      name="forecast/accuracy"
      title="预测准确率"
      unit="个商品"
      endpoint={listAccuracy}
      row={AccuracyRow}
      filter={AccuracyFilter}
      options={{ sites }}
      above={(filter) => <Overview filter={filter} />}
      {...(mayExport ? { exportEndpoint: exportAccuracy } : {})}
      note="每期对照预测日之后 28 天的实际销量，断货日不计；首次计算前的各期为回测"
      empty={
        <Empty title="还没有可以对照的预测" text="预测满 28 天后与实际销量对照；历史满 100 天时先做回测。">
          <TabLink to="/amazon/sales/forecast" title="销售预测">
            销售预测
          </TabLink>
        </Empty>
      }
    />
  );
}
