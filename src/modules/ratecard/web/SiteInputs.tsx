import { InputNumber } from 'antd';
import { COUNTRIES } from '../contract/calculator.ts';
import type { EstimateInput } from '../contract/estimates.ts';
import type { AtSite } from '../contract/results.ts';

const FIELDS: readonly [key: keyof AtSite, label: string][] = [
  ['price', '售价'],
  ['vat', 'VAT(%)'],
  ['rate', '汇率'],
];

interface Props {
  /** VAT comes from a plan. */
  planned: boolean;
  sites: EstimateInput['sites'];
  onChange: (country: keyof EstimateInput['sites'], more: Partial<AtSite>) => void;
}

/** Price, VAT and rate of each country. */
export function SiteInputs({ planned, sites, onChange }: Props) {
  return (
    <div className="calc-fields">
      {COUNTRIES.flatMap(({ country, name, currency }) =>
        FIELDS.filter(([key]) => !planned || key !== 'vat').map(([key, label]) => (
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
