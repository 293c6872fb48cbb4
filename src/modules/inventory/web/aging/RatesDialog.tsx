import { Button, DatePicker, Input, Modal, Popconfirm, Select } from 'antd';
import dayjs from 'dayjs';
import { useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import {
  dropRateCard,
  RATE_EDIT,
  type RateCardRow,
  RateKind,
  type RateKind as RateKindName,
  readRateCards,
  saveRateCard,
} from '../../contract/aging.ts';
import { BandTable } from './BandTable.tsx';
import './aging.css';

const KINDS = Object.entries(RateKind.meta()?.states ?? {}).map(([value, { title }]) => ({
  value: value as RateKindName,
  label: title,
}));
const COUNTRIES = [...new Map(MARKETPLACES.map(({ country, name }) => [country, name]))].map(([value, label]) => ({
  value,
  label: `${value} ${label}`,
}));

const keyOf = (card: RateCardRow): string => `${card.kind} ${card.country} ${card.validFrom}`;

/** A card that is only read has nothing to give up. */
const HIDDEN = { style: { display: 'none' } };

/** A card of a kind and country that nobody has written yet: like the newest one, else one empty band. */
function blank(cards: readonly RateCardRow[], kind: RateKindName, country: string): RateCardRow {
  const like = cards.find((card) => card.kind === kind && card.country === country);
  const currency = MARKETPLACES.find((one) => one.country === country)?.currency ?? '';
  const empty = {
    tier: 'ALL' as const,
    from: kind === 'STORAGE' ? 1 : 0,
    to: null,
    perVolume: '0',
    perUnit: null,
    exempt: false,
  };
  return {
    kind,
    country,
    currency,
    validFrom: dayjs().format('YYYY-MM-DD'),
    volumeUnit: like?.volumeUnit ?? (country === 'US' ? 'FT3' : 'M3'),
    bands: like?.bands ?? [empty],
    own: true,
  };
}

interface Props {
  onClose: () => void;
}

/** 仓储费率: by which storage, surcharges and the fee on short stock are reckoned, each card from a day on. */
export function RatesDialog({ onClose }: Props) {
  const { data } = useCall(readRateCards, {}, { staleTime: 0 });
  return data ? <Loaded cards={data} onClose={onClose} /> : null;
}

function Loaded({ cards, onClose }: Props & { cards: readonly RateCardRow[] }) {
  const mayEdit = useAllowed(RATE_EDIT);
  const [kind, setKind] = useState<RateKindName>('AGED');
  const [country, setCountry] = useState('US');
  const [draft, setDraft] = useState<RateCardRow>();
  const mine = cards.filter((card) => card.kind === kind && card.country === country);
  const [first] = mine;
  const [picked, setPicked] = useState<string>();
  const shown = draft ?? mine.find((card) => keyOf(card) === picked) ?? first;
  const done = (text: string) => ({
    refreshes: [readRateCards],
    onSuccess: () => {
      notice.success(text);
      setDraft(undefined);
    },
  });
  const save = useSend(saveRateCard, done('费率已保存，正在重新计算'));
  const drop = useSend(dropRateCard, done('费率已删除，正在重新计算'));
  const choose = (next: () => void) => {
    setDraft(undefined);
    setPicked(undefined);
    next();
  };
  return (
    <Modal
      title="仓储费率"
      open
      width={760}
      okText={draft ? '保存' : '关闭'}
      confirmLoading={save.isPending}
      cancelButtonProps={draft ? {} : HIDDEN}
      cancelText="放弃修改"
      onOk={() => {
        if (!draft) return onClose();
        const { own: _, ...body } = draft;
        save.mutate({ body });
      }}
      onCancel={() => (draft ? setDraft(undefined) : onClose())}
    >
      <div className="aging-rates">
        <Select
          aria-label="费率类型"
          style={{ width: 130 }}
          options={KINDS}
          value={kind}
          onChange={(value) => choose(() => setKind(value))}
        />
        <Select
          aria-label="国家"
          style={{ width: 130 }}
          showSearch={{ optionFilterProp: 'label' }}
          options={COUNTRIES}
          value={country}
          onChange={(value) => choose(() => setCountry(value))}
        />
        {draft ? (
          <DatePicker
            aria-label="生效日"
            allowClear={false}
            value={dayjs(draft.validFrom)}
            onChange={(day) => day && setDraft({ ...draft, validFrom: day.format('YYYY-MM-DD') })}
          />
        ) : (
          <Select
            aria-label="生效日"
            style={{ width: 210 }}
            placeholder="还没有费率"
            options={mine.map((card) => ({
              value: keyOf(card),
              label: `${card.validFrom} 起${card.own ? ' · 本公司' : ' · 默认'}`,
            }))}
            value={shown ? keyOf(shown) : null}
            onChange={setPicked}
          />
        )}
        {shown && (
          <Input
            style={{ width: 150 }}
            readOnly
            variant="borderless"
            value={`${shown.currency} / ${shown.volumeUnit === 'FT3' ? '立方英尺' : '立方米'}`}
            aria-label="币种与体积单位"
          />
        )}
        <span className="spring" />
        {mayEdit && !draft && <Button onClick={() => setDraft(blank(cards, kind, country))}>新增费率卡</Button>}
        {mayEdit && !draft && shown?.own && (
          <Popconfirm
            title="删除后按默认费率计算"
            onConfirm={() => drop.mutate({ body: { kind, country, validFrom: shown.validFrom } })}
          >
            <Button danger>删除</Button>
          </Popconfirm>
        )}
      </div>
      {shown ? (
        <BandTable
          kind={kind}
          bands={shown.bands}
          {...(draft ? { onChange: (bands) => setDraft({ ...draft, bands }) } : {})}
        />
      ) : (
        <p className="label">还没有 {country} 的费率，新增后即可预测。</p>
      )}
    </Modal>
  );
}
