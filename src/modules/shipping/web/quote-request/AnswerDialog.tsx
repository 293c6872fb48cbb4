import { currencyScale, Decimal, round } from '#kit/contract/decimal.ts';
import { formatMoney } from '#kit/contract/format.ts';
import { call } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { QuoteAnswerInput } from '../../contract/quote-request/answer.ts';
import { answerQuote } from '../../contract/quote-request/calls.ts';
import type { QuoteRequestRow } from '../../contract/quote-request/request.ts';
import { refreshQuotes, useQuoteChoices } from './shared.ts';

interface Props {
  request: QuoteRequestRow;
  asked: readonly { carrierId: string; carrier: string }[];
  onClose: () => void;
}

const isNumber = (value: unknown): value is string => typeof value === 'string' && /^\d+(\.\d+)?$/.test(value);

/** What the form comes to while it is written; undefined while a part is missing. */
function totalSoFar({ price, quantity, tax, otherFee, currency }: Record<string, unknown>): string | undefined {
  if (!isNumber(price) || !isNumber(quantity) || typeof currency !== 'string') return undefined;
  const scale = currencyScale(currency);
  const freight = round(new Decimal(price).times(quantity), scale);
  const rest = [tax, otherFee].filter(isNumber);
  return formatMoney(rest.reduce((sum, one) => sum.plus(one), new Decimal(freight)).toFixed(scale), currency);
}

/** What we reckon the goods to be, in the unit that the forwarder counts by. */
function oursOf({ weight, volumetric, volume, boxes }: QuoteRequestRow, unit: unknown): string | null {
  if (unit === 'BOX') return `${boxes} 箱`;
  if (unit === 'CBM') return volume;
  return volumetric && `材积重 ${volumetric}，实重 ${weight ?? '—'}`;
}

/** 录入报价: what a forwarder answered; another answer for the same way is a further round. */
export function AnswerDialog({ request, asked, onClose }: Props) {
  const choices = useQuoteChoices();
  const [only] = asked;
  const form = useForm(QuoteAnswerInput, {
    ...(only && asked.length === 1 ? { carrierId: only.carrierId } : {}),
    unit: 'KG',
    currency: 'CNY',
    tax: '0',
    otherFee: '0',
  });
  const { carrierId, channelId } = form.values;
  const channels = (choices?.channels ?? []).filter(
    (one) => one.carrierId === carrierId && one.country === request.country,
  );
  const ours = oursOf(request, form.values.unit);
  return (
    <FormDialog
      title="录入报价"
      open
      width={680}
      form={form}
      fields={{
        carrierId: { options: asked.map((one) => ({ value: one.carrierId, label: one.carrier })) },
        channelId: {
          options: channels.map((one) => ({ value: one.id, label: one.name })),
          placeholder: '可不选',
        },
        mode: { hidden: Boolean(channelId), placeholder: '留空为询价要求的' },
        quantity: { help: ours === null ? undefined : `我方：${ours}` },
        total: { help: `计算：${totalSoFar(form.values) ?? '—'}` },
      }}
      onClose={onClose}
      onSubmit={async (values) => {
        notice.success((await call(answerQuote, { body: { id: request.id, ...values } }, { quiet: true })).message);
        await refreshQuotes();
      }}
    />
  );
}
