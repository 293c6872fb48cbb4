import { z } from 'zod';
import { formatMoney } from '#kit/contract/format.ts';
import { call } from '#kit/web/api/index.ts';
import { companyDay } from '#kit/web/day.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { BookingInput, type BookingRow, type QuoteAnswerRow } from '../../contract/quote-request/answer.ts';
import { bookQuote, chooseQuote, extendQuotes } from '../../contract/quote-request/calls.ts';
import { QuoteExtension, type QuoteRequestRow } from '../../contract/quote-request/request.ts';
import { toOptions } from '../choices.ts';
import { refreshQuotes, useQuoteChoices } from './shared.ts';

interface Props {
  request: QuoteRequestRow;
  onClose: () => void;
}

/** 延期与加询: another day, and more forwarders. */
export function ExtendDialog({ request, onClose }: Props) {
  const choices = useQuoteChoices();
  const [until = request.until] = [request.until, companyDay()].sort().reverse();
  const form = useForm(QuoteExtension, { until, carrierIds: [] });
  return (
    <FormDialog
      title="延期与加询"
      open
      columns={1}
      form={form}
      fields={{ carrierIds: { options: toOptions(choices?.carriers), placeholder: '可不选' } }}
      onClose={onClose}
      onSubmit={async (values) => {
        const body = { id: request.id, version: request.version, ...values };
        notice.success((await call(extendQuotes, { body }, { quiet: true })).message);
        await refreshQuotes();
      }}
    />
  );
}

interface BookProps extends Props {
  /** The booking that stands. */
  booking: BookingRow | undefined;
}

/** 订舱: what the forwarder said of the booking. */
export function BookDialog({ request, booking, onClose }: BookProps) {
  const { bookingNo, vessel, cargoCutoff, portCutoff, handoverOn, place, contact, remark } = booking ?? {};
  const known = { bookingNo, vessel, cargoCutoff, portCutoff, handoverOn, place, contact, remark };
  const form = useForm(BookingInput, { ...known, handover: booking?.handover ?? 'PICKUP' });
  return (
    <FormDialog
      title={booking?.state === 'booked' ? '修改订舱' : '订舱'}
      open
      form={form}
      okText="确定"
      fields={{ cargoCutoff: { help: '物流商最晚收货日' } }}
      onClose={onClose}
      onSubmit={async (values) => {
        const body = { id: request.id, version: request.version, ...values };
        notice.success((await call(bookQuote, { body }, { quiet: true })).message);
        await refreshQuotes();
      }}
    />
  );
}

interface ChooseProps extends Props {
  answer: QuoteAnswerRow;
  /** Goods are others than those that were asked for. */
  changed: boolean;
}

const Nothing = z.object({});

/** 选中: asks once more before the orders get their forwarder. */
export function ChooseDialog({ request, answer, changed, onClose }: ChooseProps) {
  const form = useForm(Nothing, {});
  const words = [answer.carrier, answer.channel].filter(Boolean).join(' ');
  return (
    <FormDialog
      title="选中报价"
      open
      form={form}
      okText="选中"
      onClose={onClose}
      onSubmit={async () => {
        const body = { id: request.id, version: request.version, answerId: answer.id };
        notice.success((await call(chooseQuote, { body }, { quiet: true })).message);
        await refreshQuotes();
      }}
    >
      <p>
        选中 {words} 的报价 {formatMoney(answer.total ?? '0', answer.currency)}，写入发货单 {request.orders}{' '}
        的物流信息，出库时按它预估头程费用。
      </p>
      {changed && <p className="danger">发起询价后货物已变化，请先与物流商确认报价是否仍然有效。</p>}
    </FormDialog>
  );
}
