import { InputNumber } from 'antd';
import type { Draft } from './draft.ts';
import { ShareInput } from './ShareInput.tsx';

/** Headings of {@link ImportTaxCells}. */
export const TAX_HEADS = ['关税', '进口VAT'];

interface TaxProps {
  label: string;
  rate: string;
  amount: string | null;
  putRate: (rate: string) => void;
  putAmount: (amount: string | null) => void;
}

/** A share, or an amount for all pieces of the line that stands instead. */
function Tax({ label, rate, amount, putRate, putAmount }: TaxProps) {
  return (
    <div className="order-tax">
      <ShareInput
        label={`${label}率`}
        max="999.99"
        disabled={amount !== null}
        value={rate}
        put={(share) => putRate(share ?? '0')}
      />
      <InputNumber<string>
        size="small"
        aria-label={`${label}金额`}
        stringMode
        controls={false}
        min="0"
        precision={2}
        style={{ width: 84 }}
        placeholder="或金额"
        value={amount}
        onChange={(value) => putAmount(value === null || value === '' ? null : String(value))}
      />
    </div>
  );
}

/** What customs are expected to take for a line. */
export function ImportTaxCells({ line, put }: { line: Draft; put: (next: Partial<Draft>) => void }) {
  const sku = line.product.code;
  return (
    <>
      <td>
        <Tax
          label={`${sku} 关税`}
          rate={line.dutyRate}
          amount={line.dutyAmount}
          putRate={(dutyRate) => put({ dutyRate })}
          putAmount={(dutyAmount) => put({ dutyAmount })}
        />
      </td>
      <td>
        <Tax
          label={`${sku} 进口VAT`}
          rate={line.importVatRate}
          amount={line.importVatAmount}
          putRate={(importVatRate) => put({ importVatRate })}
          putAmount={(importVatAmount) => put({ importVatAmount })}
        />
      </td>
    </>
  );
}
