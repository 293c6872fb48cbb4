import { Slider } from 'antd';
import type { COUNTRIES } from '../contract/calculator.ts';
import type { Calculation } from './use-calculation.ts';

interface SlideProps {
  label: string;
  value: string;
  max: number;
  step: number;
  onChange: (value: string) => void;
}

function Slide({ label, value, max, step, onChange }: SlideProps) {
  return (
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
}

/** Prices that a slider reaches, by what money of the country is worth. */
const REACH: Readonly<Record<string, number>> = { JPY: 20_000, MXN: 3_000 };

interface Props {
  site: (typeof COUNTRIES)[number];
  calculation: Calculation;
}

/** What is moved to see what it does: the price in one country, the share of advertising, and what a piece costs. */
export function Slides({ site: { country, name, currency }, calculation }: Props) {
  const { typed, sites, plan, change, changeSite } = calculation;
  return (
    <>
      <Slide
        label={`${name}售价`}
        value={sites[country]?.price ?? ''}
        max={REACH[currency] ?? 200}
        step={currency === 'JPY' ? 1 : 0.01}
        onChange={(next) => changeSite(country, { price: next })}
      />
      {!plan && <Slide label="广告比例" value={typed.ads} max={50} step={0.5} onChange={(ads) => change({ ads })} />}
      <Slide label="采购成本" value={typed.cost} max={300} step={0.5} onChange={(cost) => change({ cost })} />
    </>
  );
}
