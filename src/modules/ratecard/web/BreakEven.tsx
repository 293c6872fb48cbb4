import { InputNumber } from 'antd';
import { useMemo, useState } from 'react';
import { formatInteger, formatMoney, NOT_APPLICABLE } from '#kit/contract/format.ts';
import { Card } from '#kit/web/cards/index.ts';
import { Curve, type Measure } from '#kit/web/charts/index.ts';
import type { COUNTRIES } from '../contract/calculator.ts';
import { piecesToCover, profitCurve } from '../contract/curve.ts';
import { profitAt } from '../contract/profit.ts';
import { type AtSite, siteModel, type Typed } from '../contract/results.ts';

const NAMES = ['售价', '利润'] as const;

interface Props {
  site: (typeof COUNTRIES)[number];
  typed: Typed;
  at: AtSite;
}

/** 保本图: what a piece brings at each price in one country, where it breaks even, and how many pay the costs of a month. */
export function BreakEven({ site, typed, at }: Props) {
  const [fixed, setFixed] = useState('');
  const model = useMemo(() => siteModel(typed, at, site), [typed, at, site]);
  const price = at.price.trim() === '' ? '0' : at.price;
  const curve = useMemo(() => ('problem' in model ? undefined : profitCurve(model, price)), [model, price]);
  const measures = useMemo<[Measure, Measure]>(() => {
    const money: Measure = { kind: 'money', currency: site.currency };
    return [money, money];
  }, [site.currency]);
  const points = useMemo(() => curve?.points.map(({ price: x, profit: y }) => ({ x, y })) ?? [], [curve]);
  const marks = useMemo(
    () => [
      ...(curve?.breakEven
        ? [{ x: curve.breakEven, name: `保本 ${formatMoney(curve.breakEven, site.currency)}` }]
        : []),
      { x: price, name: `售价 ${formatMoney(price, site.currency)}` },
    ],
    [curve, price, site.currency],
  );
  if ('problem' in model) {
    return (
      <Card title="保本图" scope={site.name} span={12} height={360}>
        <p className="calc-note">{model.problem}</p>
      </Card>
    );
  }
  const profit = profitAt(model, price).profit;
  const pieces = piecesToCover(fixed, profit, at.rate);
  return (
    <Card title="保本图" scope={`${site.name}，每件利润随售价的变化`} span={12} height={360}>
      <div className="calc-even">
        <span>{curve?.breakEven ? `保本价 ${formatMoney(curve.breakEven, site.currency)}` : '没有保本的售价'}</span>
        <span>{`现价利润 ${formatMoney(profit, site.currency)}`}</span>
        <span>
          月固定成本(¥)
          <InputNumber<string>
            stringMode
            controls={false}
            min="0"
            aria-label="月固定成本(¥)"
            value={fixed}
            onChange={(value) => setFixed(value ?? '')}
          />
        </span>
        {fixed !== '' && (
          <span>{`保本件数 ${pieces === null ? NOT_APPLICABLE : `${formatInteger(pieces)} 件/月`}`}</span>
        )}
      </div>
      <Curve
        label={`${site.name}利润随售价`}
        points={points}
        names={NAMES}
        measures={measures}
        marks={marks}
        height={270}
      />
    </Card>
  );
}
