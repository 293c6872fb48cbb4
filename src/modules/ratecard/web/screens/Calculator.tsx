import { Slider } from 'antd';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { Card, CardsPage } from '#kit/web/cards/index.ts';
import { Bars } from '#kit/web/charts/index.ts';
import { lastDays } from '#kit/web/last-days.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { type Picked, ProductPicker } from '#modules/product/web/index.ts';
import { COUNTRIES, calculatorFacts, ResultRow, TargetRow } from '../../contract/calculator.ts';
import { type AtSite, resultRow, type Typed, targetRows } from '../../contract/results.ts';
import { Inputs } from '../Inputs.tsx';
import { SiteInputs } from '../SiteInputs.tsx';
import '../ratecard.css';

const TYPED: Omit<Typed, 'day'> = {
  category: 'other',
  length: '',
  width: '',
  height: '',
  weight: '',
  cost: '',
  firstLeg: '',
  duty: '',
  ads: '10',
  returns: '2',
  other: '',
  fixed: '',
  months: '1',
};
const SITES: Readonly<Record<string, AtSite>> = {
  US: { price: '24.99', vat: '0', rate: '' },
  UK: { price: '19.99', vat: '20', rate: '' },
  DE: { price: '24.99', vat: '19', rate: '' },
};
const siteOf = (sites: typeof SITES, country: string): AtSite => sites[country] ?? { price: '0', vat: '0', rate: '' };

/** 利润计算: what a piece brings in each country at a price, and which prices bring what is wanted; reckoned in the page. */
export default function Calculator() {
  const [typed, setTyped] = useState<Typed>({ ...TYPED, day: lastDays(1).to });
  const [sites, setSites] = useState(SITES);
  const [picked, setPicked] = useState<Picked>();
  const body = { day: typed.day, ...(picked ? { productId: picked.id } : {}) };
  const { data } = useCall(calculatorFacts, { body }, { keep: true });
  const change = (more: Partial<Typed>) => setTyped((old) => ({ ...old, ...more }));
  const changeSite = (country: string, more: Partial<AtSite>) =>
    setSites((old) => ({ ...old, [country]: { ...siteOf(old, country), ...more } }));

  const rates = data?.rates;
  const measures = data?.measures;
  useEffect(() => {
    if (!rates) return;
    const known = new Map(rates.map(({ currency, rate }) => [currency, rate]));
    setSites((old) =>
      Object.fromEntries(
        COUNTRIES.map(({ country, currency }) => {
          const at = siteOf(old, country);
          return [country, { ...at, rate: known.get(currency) ?? at.rate }];
        }),
      ),
    );
  }, [rates]);
  useEffect(() => {
    if (!measures) return;
    const { length, width, height, weight } = measures;
    setTyped((old) => ({
      ...old,
      length: length ?? '',
      width: width ?? '',
      height: height ?? '',
      weight: weight ?? '',
    }));
  }, [measures]);

  const results = useMemo(
    () => COUNTRIES.map((site) => resultRow(typed, siteOf(sites, site.country), site)),
    [typed, sites],
  );
  // All prices take a moment: what moves with a slider goes first.
  const later = useDeferredValue({ typed, sites });
  const targets = useMemo(
    () => COUNTRIES.flatMap((site) => targetRows(later.typed, siteOf(later.sites, site.country), site)),
    [later],
  );
  const slide = (label: string, value: string, max: number, step: number, onChange: (value: string) => void) => (
    <div className="calc-slide">
      <span>{label}</span>
      <Slider
        ariaLabelForHandle={label}
        min={0}
        max={max}
        step={step}
        value={Number(value) || 0}
        onChange={(next) => onChange(String(next))}
      />
    </div>
  );
  return (
    <CardsPage
      filters={
        <div className="calc-product">
          <ProductPicker
            value={picked && { id: picked.id, label: `${picked.sku} ${picked.name}` }}
            onPick={setPicked}
            placeholder="选择产品，带出尺寸和重量"
          />
        </div>
      }
    >
      <Card title="产品与费用" span={5} height={420}>
        <Inputs typed={typed} onChange={change} />
      </Card>
      <Card title="各站点" span={7} height={420}>
        <SiteInputs sites={sites} onChange={changeSite} />
        {COUNTRIES.map(({ country, name }) => (
          <div key={country}>
            {slide(`${name}售价`, siteOf(sites, country).price, 200, 0.01, (price) => changeSite(country, { price }))}
          </div>
        ))}
        {slide('广告比例', typed.ads, 50, 0.5, (ads) => change({ ads }))}
        {slide('采购成本', typed.cost, 300, 0.5, (cost) => change({ cost }))}
      </Card>
      <Card title="测算结果" scope="站点币种，每件" span={12} height={230}>
        <LineTable label="测算结果" row={ResultRow} rows={results} rowId={(row) => row.country} />
      </Card>
      <Card title="目标售价" scope="含税；0% 为保本价" span={8} height={420}>
        <LineTable
          label="目标售价"
          row={TargetRow}
          rows={targets}
          rowId={(row) => `${row.country} ${row.margin}`}
          none="没有可以测算的站点"
        />
      </Card>
      <Card title="利润率对比" span={4} height={420}>
        <Bars
          label="各站点利润率"
          measure={{ kind: 'percent' }}
          bars={results.flatMap(({ country, margin }) => (margin === null ? [] : [{ name: country, value: margin }]))}
          height={340}
        />
      </Card>
    </CardsPage>
  );
}
