import { App } from 'antd';
import type { Reply } from '#kit/contract/endpoint.ts';
import { useSend } from '#kit/web/api/index.ts';
import { companyDay } from '#kit/web/day.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { monthAfter } from '../contract/fields.ts';
import { MakeForm, makeVouchers } from '../contract/settled.ts';
import { refreshVouchers } from './refresh.ts';

function wordsOf({ made, existed, reversed }: Reply<typeof makeVouchers>): string {
  return [
    `生成 ${made} 张草稿`,
    ...(existed > 0 ? [`${existed} 个结算已有凭证`] : []),
    ...(reversed > 0 ? [`${reversed} 张因结算有新版本已冲销或作废`] : []),
  ].join('，');
}

/** Asks for a month and makes the drafts of its settlements; says what was made and what was not, and why. */
export function SettledDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { modal } = App.useApp();
  const form = useForm(MakeForm, { month: monthAfter(companyDay().slice(0, 7), -1) });
  const send = useSend(makeVouchers, {
    quiet: true,
    onSuccess: (done) => {
      void refreshVouchers();
      modal.info({
        title: wordsOf(done),
        okText: '知道了',
        content: (
          <ul className="accounting-skipped" aria-label="没有生成">
            {done.skipped.map(({ name, why }) => (
              <li key={name}>
                {name}：{why}
              </li>
            ))}
          </ul>
        ),
      });
    },
  });
  return (
    <FormDialog
      title="结算生成凭证"
      open={open}
      form={form}
      columns={1}
      okText="生成"
      onSubmit={(values) => send.mutateAsync({ body: values })}
      onClose={onClose}
    >
      <p className="label">
        当月结束的每个亚马逊结算生成一张草稿：应收账款、收入、平台费用与代扣税，按当月汇率折人民币。
      </p>
    </FormDialog>
  );
}
