import { LayoutOutlined } from '@ant-design/icons';
import { Button, DatePicker, Segmented, Select } from 'antd';
import dayjs from 'dayjs';
import type { Reply } from '#kit/contract/endpoint.ts';
import { clockText, dateText, stampText } from '#kit/web/cells/index.ts';
import { CURRENCIES, type kpi, PERIODS, type Period, type setup, ZONES, type Zone } from '../contract.ts';
import type { Home } from './use-home.ts';

interface Props {
  home: Home;
  choices: Reply<typeof setup> | undefined;
  figures: Reply<typeof kpi> | undefined;
  /** Begins to arrange the cards; undefined where there is nothing to arrange. */
  onEdit: (() => void) | undefined;
}

const DAY = 'YYYY-MM-DD';
const entries = <K extends string>(titles: Readonly<Record<K, string>>) =>
  (Object.entries(titles) as [K, string][]).map(([value, label]) => ({ value, label }));

interface ManyProps {
  title: string;
  unit: string;
  value: readonly string[];
  options: { value: string; label: string }[];
  onChange: (value: string[]) => void;
}

function Many({ title, unit, value, options, onChange }: ManyProps) {
  return (
    <Select
      mode="multiple"
      size="small"
      className="home-choice"
      aria-label={title}
      prefix={<span className="filter-label">{title}</span>}
      placeholder={<span className="text1">全部 {options.length} 个</span>}
      maxTagCount={0}
      maxTagPlaceholder={(chosen) => `${chosen.length} ${unit}`}
      showSearch={{ optionFilterProp: 'label' }}
      popupMatchSelectWidth={false}
      allowClear
      value={[...value]}
      options={options}
      onChange={onChange}
    />
  );
}

function Fresh({ asOf }: { asOf: string | null | undefined }) {
  if (!asOf) return null;
  return (
    <span className="fresh" title={stampText(asOf)}>
      <i aria-hidden="true" />
      更新于 {clockText(asOf)}
    </span>
  );
}

/** The line above the cards: whose sales, which days, by which clock, in which currency. */
export function HomeFilters({ home, choices, figures, onEdit }: Props) {
  const { filter, set } = home;
  const range = figures?.range;
  const days = range && `${dateText(range.from)}${range.days > 1 ? ` 至 ${dateText(range.to)}` : ''}`;
  return (
    <>
      <Many
        title="店铺"
        unit="个"
        value={filter.accountIds}
        options={(choices?.accounts ?? []).map((one) => ({ value: one.id, label: one.name }))}
        onChange={(accountIds) => set({ accountIds })}
      />
      <Many
        title="站点"
        unit="个"
        value={filter.marketplaceIds}
        options={(choices?.markets ?? []).map((one) => ({ value: one.id, label: `${one.country} ${one.name}` }))}
        onChange={(marketplaceIds) => set({ marketplaceIds })}
      />
      <Segmented<Period>
        size="small"
        aria-label="时间"
        options={entries(PERIODS)}
        value={filter.period}
        onChange={(period) =>
          set(
            period === 'custom'
              ? { period, dates: { from: range?.from ?? dayjs().format(DAY), to: range?.to ?? dayjs().format(DAY) } }
              : { period },
          )
        }
      />
      {filter.period === 'custom' && filter.dates ? (
        <DatePicker.RangePicker
          size="small"
          allowClear={false}
          value={[dayjs(filter.dates.from), dayjs(filter.dates.to)]}
          onChange={(value) => {
            const [from, to] = value ?? [];
            if (from && to) set({ dates: { from: from.format(DAY), to: to.format(DAY) } });
          }}
        />
      ) : (
        <span className="label ellipsis">
          {days}
          {range && ` · 比上期 ${range.days} 天`}
        </span>
      )}
      <span className="spring" />
      <Segmented<Zone>
        size="small"
        aria-label="时区"
        options={entries(ZONES)}
        value={filter.zone}
        onChange={(zone) => set({ zone })}
      />
      <Select
        size="small"
        aria-label="币种"
        prefix={<span className="filter-label">币种</span>}
        popupMatchSelectWidth={false}
        value={filter.currency}
        options={entries(CURRENCIES)}
        onChange={(currency) => set({ currency })}
      />
      <Fresh asOf={figures?.asOf} />
      {onEdit && (
        <Button size="small" icon={<LayoutOutlined />} onClick={onEdit}>
          编辑布局
        </Button>
      )}
    </>
  );
}
