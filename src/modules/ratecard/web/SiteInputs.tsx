import { InputNumber } from 'antd';
import { COUNTRIES } from '../contract/calculator.ts';
import type { AtSite } from '../contract/results.ts';

const FIELDS: readonly [key: keyof AtSite, label: string][] = [
  ['price', '售价'],
  ['vat', 'VAT(%)'],
  ['rate', '汇率'],
];

interface Props {
  sites: Readonly<Record<string, AtSite>>;
  onChange: (country: string, more: Partial<AtSite>) => void;
}

/** Price, VAT and rate of each country. */
export function SiteInputs({ sites, onChange }: Props) {
  return (
    <div className="calc-fields">
      {COUNTRIES.flatMap(({ country, name, currency }) =>
        FIELDS.map(([key, label]) => (
          <div className="calc-field" key={`${country} ${key}`}>
            <span>{`${name}${label}${key === 'vat' ? '' : ` ${currency}`}`}</span>
            <InputNumber<string>
              stringMode
              min="0"
              aria-label={`${name}${label}`}
              value={sites[country]?.[key] ?? ''}
              onChange={(value) => onChange(country, { [key]: value ?? '' })}
            />
          </div>
        )),
      )}
    </div>
  );
}
