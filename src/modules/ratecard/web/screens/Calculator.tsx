import { Select } from 'antd';
import { useDeferredValue, useMemo, useState } from 'react';
import { Card, CardsPage } from '#kit/web/cards/index.ts';
import { Bars } from '#kit/web/charts/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { ProductPicker } from '#modules/product/web/index.ts';
import { COUNTRIES, ResultRow, TargetRow } from '../../contract/calculator.ts';
import { resultRow, type Typed, targetRows } from '../../contract/results.ts';
import { BreakEven } from '../BreakEven.tsx';
import { Inputs } from '../Inputs.tsx';
import { SaveEstimate } from '../SaveEstimate.tsx';
import { SiteInputs } from '../SiteInputs.tsx';
import { Slides } from '../Slides.tsx';
import { atSite, useCalculation } from '../use-calculation.ts';
import '../ratecard.css';

/** What a plan says of a piece, country by country, so that it is not asked for. */
const OF_PLAN: readonly (keyof Typed)[] = ['duty', 'ads', 'returns', 'other', 'fixed', 'months'];

/** 利润计算: what a piece brings in each country at a price, and which prices bring what is wanted; reckoned in the page. */
export default function Calculator() {
  const calcId = new URLSearchParams(useTab().address.split('?')[1]).get('calc') ?? undefined;
  const calculation = useCalculation(calcId);
  const { typed, sites, picked, plan, planId, planChoices, change, changeSite } = calculation;
  const [country, setCountry] = useState<(typeof COUNTRIES)[number]['country']>('US');
  const site = COUNTRIES.find((one) => one.country === country) ?? COUNTRIES[0];
  const results = useMemo(
    () =>
      COUNTRIES.map((site) => {
        const of = atSite({ plan, typed, sites }, site.country);
        return resultRow(of.typed, of.at, site);
      }),
    [plan, typed, sites],
  );
  // All prices take a moment: what moves with a slider goes first.
  const later = useDeferredValue(useMemo(() => ({ plan, typed, sites }), [plan, typed, sites]));
  const targets = useMemo(
    () =>
      COUNTRIES.flatMap((site) => {
        const of = atSite(later, site.country);
        return targetRows(of.typed, of.at, site);
      }),
    [later],
  );
  const shown = useMemo(() => atSite(later, country), [later, country]);
  const hidden = new Set<keyof Typed>(
    plan ? [...OF_PLAN, ...(plan.freightBy === 'MANUAL' ? [] : ['firstLeg' as const])] : [],
  );
  return (
    <CardsPage
      filters={
        <div className="calc-head">
          <div className="calc-product">
            <ProductPicker
              value={picked && { id: picked.id, label: `${picked.sku} ${picked.name}` }}
              onPick={calculation.pick}
              placeholder="选择产品，带出尺寸、重量和成本"
            />
          </div>
          <Select
            className="calc-plan"
            aria-label="利润方案"
            placeholder="不用方案，逐项填写"
            allowClear
            value={planId}
            options={planChoices}
            onChange={(id: string | undefined) => calculation.choosePlan(id ?? null)}
          />
          <span className="spring" />
          <SaveEstimate calculation={calculation} />
        </div>
      }
    >
      <Card title="产品与费用" span={5} height={460}>
        <Inputs typed={typed} planned={hidden} onChange={change} />
        {plan && <p className="calc-note">头程、税率、广告、退货等按方案「{plan.name}」各站点分别计算</p>}
      </Card>
      <Card
        title="各站点"
        span={7}
        height={460}
        extra={
          <Select
            aria-label="细看站点"
            className="calc-site"
            value={country}
            options={COUNTRIES.map(({ country: value, name: label }) => ({ value, label }))}
            onChange={setCountry}
          />
        }
      >
        <SiteInputs planned={plan !== undefined} sites={sites} onChange={changeSite} />
        <Slides site={site} calculation={calculation} />
      </Card>
      <Card title="测算结果" scope="站点币种，每件" span={12} height={430}>
        <LineTable label="测算结果" row={ResultRow} rows={results} rowId={(row) => row.country} />
      </Card>
      <BreakEven site={site} typed={shown.typed} at={shown.at} />
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
