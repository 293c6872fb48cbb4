import { App } from 'antd';
import type { Reply } from '#kit/contract/endpoint.ts';
import { useSend } from '#kit/web/api/index.ts';
import { companyDay } from '#kit/web/day.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { monthAfter } from '../contract/fields.ts';
import { MakeForm, makeVouchers } from '../contract/rules.ts';
import { refreshVouchers } from './refresh.ts';

type Made = Reply<typeof makeVouchers>;

function wordsOf({ made, existed, changed, reversed }: Made): string {
  return [
    `生成 ${made} 张草稿`,
    ...(changed > 0 ? [`${changed} 张草稿按新的来源更新`] : []),
    ...(existed > 0 ? [`${existed} 张已有且没有变动`] : []),
    ...(reversed > 0 ? [`${reversed} 张因来源变动已冲销或作废`] : []),
  ].join('，');
}

function Told({ bySource, skipped }: Made) {
  return (
    <>
      <p className="text2">{bySource.map(({ title, made, existed }) => `${title} ${made + existed}`).join('，')}</p>
      {skipped.length > 0 && (
        <ul className="accounting-skipped" aria-label="没有生成">
          {skipped.map(({ name, why }) => (
            <li key={`${name} ${why}`}>
              {name}：{why}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Asks for a month and makes the drafts of what happened in it; says what was made and what was not, and why. */
export function MakeDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { modal } = App.useApp();
  const form = useForm(MakeForm, { month: monthAfter(companyDay().slice(0, 7), -1) });
  const send = useSend(makeVouchers, {
    quiet: true,
    onSuccess: (done) => {
      void refreshVouchers();
      modal.info({ title: wordsOf(done), okText: '知道了', width: 520, content: <Told {...done} /> });
    },
  });
  return (
    <FormDialog
      title="业务生成凭证"
      open={open}
      form={form}
      columns={1}
      okText="生成"
      onSubmit={(values) => send.mutateAsync({ body: values })}
      onClose={onClose}
    >
      <p className="label">
        按「凭证模板」把当月的结算、资金与往来、出入库、销售成本与费用单生成草稿。同一业务只生成一次；来源有变动时，草稿更新，已过账的红字冲销后重新生成。
      </p>
    </FormDialog>
  );
}
