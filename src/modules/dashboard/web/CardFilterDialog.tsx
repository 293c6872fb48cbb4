import { DatePicker, Form, Modal, Select } from 'antd';
import dayjs from 'dayjs';
import { useState } from 'react';
import type { Reply } from '#kit/contract/endpoint.ts';
import { companyDay } from '#kit/web/day.ts';
import { CARDS, type CardKey } from '../contract/card-list.ts';
import type { CardFilter } from '../contract/layout.ts';
import { PERIODS, type Period, type setup } from '../contract.ts';

interface Props {
  card: CardKey;
  filter: CardFilter;
  choices: Reply<typeof setup> | undefined;
  onSave: (filter: CardFilter) => void;
  onClose: () => void;
}

const DAY = 'YYYY-MM-DD';
const PAGE = 'page';
const TIMES = [
  { value: PAGE, label: '跟随页面' },
  ...(Object.entries(PERIODS) as [Period, string][]).map(([value, label]) => ({ value, label })),
];

/** What one card shows otherwise than the page; what is left empty follows the page. */
export function CardFilterDialog({ card, filter, choices, onSave, onClose }: Props) {
  const [own, setOwn] = useState(filter);
  const many = (key: 'accountIds' | 'marketplaceIds', ids: string[]) => {
    const { [key]: _, ...rest } = own;
    setOwn(ids.length > 0 ? { ...rest, [key]: ids } : rest);
  };
  const setTime = (value: string) => {
    const { period: _, dates, ...rest } = own;
    if (value === PAGE) setOwn(rest);
    else if (value !== 'custom') setOwn({ ...rest, period: value as Period });
    else setOwn({ ...rest, period: 'custom', dates: dates ?? { from: companyDay(), to: companyDay() } });
  };
  const title = CARDS[card].title;
  return (
    <Modal
      open
      width={420}
      title={`「${title}」的筛选`}
      okText="保存"
      onOk={() => {
        onSave(own);
        onClose();
      }}
      onCancel={onClose}
    >
      <Form layout="vertical">
        <Form.Item label="店铺">
          <Select
            mode="multiple"
            aria-label="卡片店铺"
            placeholder="跟随页面"
            allowClear
            showSearch={{ optionFilterProp: 'label' }}
            value={own.accountIds ?? []}
            options={(choices?.accounts ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(ids) => many('accountIds', ids)}
          />
        </Form.Item>
        <Form.Item label="站点">
          <Select
            mode="multiple"
            aria-label="卡片站点"
            placeholder="跟随页面"
            allowClear
            showSearch={{ optionFilterProp: 'label' }}
            value={own.marketplaceIds ?? []}
            options={(choices?.markets ?? []).map(({ id, country, name }) => ({
              value: id,
              label: `${country} ${name}`,
            }))}
            onChange={(ids) => many('marketplaceIds', ids)}
          />
        </Form.Item>
        {CARDS[card].follows === 'all' && (
          <Form.Item label="时间">
            <Select aria-label="卡片时间" options={TIMES} value={own.period ?? PAGE} onChange={setTime} />
          </Form.Item>
        )}
        {own.period === 'custom' && own.dates && (
          <Form.Item label="日期">
            <DatePicker.RangePicker
              allowClear={false}
              value={[dayjs(own.dates.from), dayjs(own.dates.to)]}
              onChange={(value) => {
                const [from, to] = value ?? [];
                if (from && to) setOwn({ ...own, dates: { from: from.format(DAY), to: to.format(DAY) } });
              }}
            />
          </Form.Item>
        )}
      </Form>
    </Modal>
  );
}
