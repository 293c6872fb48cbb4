import { Button, Radio } from 'antd';
import { useState } from 'react';
import type { Reply } from '#kit/contract/endpoint.ts';
import { call } from '#kit/web/api/index.ts';
import { dateText, Money } from '#kit/web/cells/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import type { SelfWay } from '../../contract/self/input.ts';
import { buyLabel, LabelFormat, type LabelRate, labelRates, Parcel } from '../../contract/self/label.ts';
import type { SelfRow } from '../../contract/self/rows.ts';
import { toOptions } from '../choices.ts';
import { refreshSelf } from './shared.ts';

const Form = Parcel.extend({ format: LabelFormat.default('PDF') });

function wordsOf({ arrivesAt, inTime, best, unfit }: LabelRate): string {
  if (unfit) return unfit;
  const arrives = arrivesAt === null ? '' : `最晚 ${dateText(arrivesAt)} 送达`;
  const judged = inTime === null ? '' : inTime ? '按时' : '晚于承诺';
  return [arrives, judged, best ? '推荐' : ''].filter(Boolean).join(' · ');
}

/** Offers to choose from; the best is chosen already. */
function Rates({
  rates,
  chosen,
  onChoose,
}: {
  rates: readonly LabelRate[];
  chosen: string;
  onChoose: (id: string) => void;
}) {
  return (
    <Radio.Group className="label-rates" value={chosen} onChange={(event) => onChoose(String(event.target.value))}>
      {rates.map((rate) => (
        <Radio key={rate.serviceId} value={rate.serviceId} disabled={rate.unfit !== ''}>
          <span className="label-rate">
            <b>{rate.service}</b>
            <span className="num">
              <Money amount={rate.amount} currency={rate.currency} />
            </span>
            <span className={rate.inTime === false ? 'danger' : 'text2'}>{wordsOf(rate)}</span>
          </span>
        </Radio>
      ))}
    </Radio.Group>
  );
}

/** 申请运单: what the parcel weighs and measures, what carriers ask for it, and the label by the one that is chosen. */
export function LabelDialog({ document, way, onClose }: { document: SelfRow; way: SelfWay; onClose: () => void }) {
  const { weightG, length, width, height } = way;
  const form = useForm(Form, { weightG, length, width, height, addressId: null, format: 'PDF' });
  const [offered, setOffered] = useState<Reply<typeof labelRates>>();
  const [chosen, setChosen] = useState('');
  const [asking, setAsking] = useState(false);
  const { id, version } = document;
  const ask = async () => {
    const values = form.check();
    if (!values) return;
    const { format: _, ...parcel } = values;
    setAsking(true);
    try {
      const found = await call(labelRates, { body: { id, ...parcel } }, {});
      setOffered(found);
      const best = found.rates.find((rate) => rate.best) ?? found.rates.find((rate) => rate.unfit === '');
      setChosen(best?.serviceId ?? '');
    } catch {
      // It was shown.
    } finally {
      setAsking(false);
    }
  };
  const rate = offered?.rates.find((one) => one.serviceId === chosen);
  return (
    <FormDialog
      title={`申请运单 · ${document.number}`}
      open
      form={form}
      columns={2}
      width={640}
      okText="申请运单"
      fields={{ addressId: { options: toOptions(offered?.addresses), placeholder: '店铺默认地址' } }}
      onClose={onClose}
      onSubmit={async (values) => {
        if (!rate) {
          notice.error('请先查询运费并选择物流服务');
          throw new Error('no service is chosen');
        }
        const body = { ...values, id, version, serviceId: rate.serviceId, amount: rate.amount };
        notice.success((await call(buyLabel, { body }, { quiet: true })).message);
        await refreshSelf();
      }}
    >
      <div className="label-offers">
        <Button loading={asking} onClick={() => void ask()}>
          查询运费
        </Button>
        {!offered && <span className="text2">填写重量和尺寸后查询，再选择物流服务</span>}
        {offered?.promisedAt && <span className="text2">承诺送达 {dateText(offered.promisedAt)}</span>}
      </div>
      {offered && <Rates rates={offered.rates} chosen={chosen} onChoose={setChosen} />}
      {offered?.rates.length === 0 && <p className="label">没有承运商接受这个包裹。</p>}
    </FormDialog>
  );
}
