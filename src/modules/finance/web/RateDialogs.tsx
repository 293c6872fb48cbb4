import { cacheKey, call, queryClient, uuid } from '#kit/web/api/index.ts';
import { companyDay } from '#kit/web/day.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import {
  currencyName,
  DayRateForm,
  listPeriods,
  listRates,
  MonthRateForm,
  type RateRow,
  rateHistory,
  saveDayRate,
  saveMonthRate,
} from '../contract/rates.ts';

/** Reads anew what a rate changes. */
export async function refreshRates(): Promise<void> {
  await Promise.all(
    [listRates, rateHistory, listPeriods].map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })),
  );
}

const MonthForm = MonthRateForm.pick({ rate: true });

/** The company's own rate of a currency in a month. */
export function MonthRateDialog({ row, onClose }: { row: RateRow; onClose: () => void }) {
  const form = useForm(MonthForm, { rate: row.mine ?? row.official ?? row.effective ?? '' });
  return (
    <FormDialog
      title={`我的汇率 · ${row.month} ${row.name}`}
      open
      form={form}
      columns={1}
      fields={{ rate: { prefix: `1 ${row.currency} =`, help: '人民币元；利润报表该月全部按它折算' } }}
      onSubmit={async ({ rate }) => {
        const body = { currency: row.currency, month: row.month, rate };
        await call(saveMonthRate, { body }, { quiet: true, idempotencyKey: uuid() });
        await refreshRates();
      }}
      onClose={onClose}
    />
  );
}

/** The official rate of one day. */
export function DayRateDialog({ currencies, onClose }: { currencies: readonly string[]; onClose: () => void }) {
  const form = useForm(DayRateForm, { day: companyDay(), currency: 'USD' });
  return (
    <FormDialog
      title="录入每日汇率"
      open
      form={form}
      fields={{
        currency: { options: currencies.map((code) => ({ value: code, label: `${currencyName(code)} ${code}` })) },
        rate: { span: 2, prefix: '1 外币 =', help: '人民币元' },
      }}
      onSubmit={async (values) => {
        await call(saveDayRate, { body: values }, { quiet: true, idempotencyKey: uuid() });
        await refreshRates();
      }}
      onClose={onClose}
    />
  );
}
