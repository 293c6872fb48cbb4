import { Modal } from 'antd';
import { useState } from 'react';
import { z } from 'zod';
import { formatPercent } from '#kit/contract/format.ts';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { EDIT } from '../contract/report.ts';
import { listRules, MOST_STEPS, Rule, type Step, Step as StepFields, saveRule } from '../contract/rule.ts';
import { REFRESHES } from './refresh.ts';

const NUMBERS = Array.from({ length: MOST_STEPS }, (_, at) => at + 1);
const { upTo, rate } = StepFields.shape;

/** A rule as a form: steps that are not filled in are none, and the last one has no end. */
const RuleForm = z.object({
  from: saveRule.body.shape.from,
  ...Object.fromEntries(
    NUMBERS.flatMap((number) => [
      [
        `upTo${number}`,
        upTo
          .unwrap()
          .optional()
          .meta({ ...upTo.meta(), title: `第${number}档 达成率至` }),
      ],
      [`rate${number}`, rate.optional().meta({ ...rate.meta(), title: `第${number}档 提成比例` })],
    ]),
  ),
});

function stepsOf(values: Readonly<Record<string, unknown>>): Step[] {
  const part = (key: string) => (typeof values[key] === 'string' ? values[key] : null);
  return NUMBERS.flatMap((number) => {
    const [end, share] = [part(`upTo${number}`), part(`rate${number}`)];
    return end === null && share === null ? [] : [{ upTo: end, rate: share ?? '0' }];
  });
}

const RuleRow = z.object({
  from: Rule.shape.from.meta({ title: '生效月份', kind: 'code', width: 100 }),
  steps: z.string().meta({ title: '提成比例', width: 360 }),
  createdByName: Rule.shape.createdByName.meta({ title: '设置人', width: 110 }),
});

/** "≤ 80%：1%，≤ 100%：2%，以上：3%". */
function stepsText(steps: readonly Step[]): string {
  return steps
    .map(
      ({ upTo: end, rate: share }) => `${end === null ? '以上' : `≤ ${formatPercent(end)}`}：${formatPercent(share)}`,
    )
    .join('，');
}

function NewRule({ onClose }: { onClose: () => void }) {
  const form = useForm(RuleForm, {});
  const send = useSend(saveRule, { quiet: true, refreshes: REFRESHES });
  return (
    <FormDialog
      title="新提成规则"
      open
      form={form}
      fields={{ from: { span: 2, placeholder: '2026-01', help: '从该月起生效，须晚于已有的规则；保存后不能修改' } }}
      onSubmit={async (values) => {
        await send.mutateAsync({ body: { from: values.from, steps: stepsOf(values) } });
        notice.success(`提成规则已保存，从 ${values.from} 起生效`);
      }}
      onClose={onClose}
    >
      <p className="label">最后一档不填达成率，即以上；整月毛利润按所在档的比例计提成，不分段累进。</p>
    </FormDialog>
  );
}

/** 提成规则: all rules, the newest first, and the form of a new one. */
export function RuleDialog({ onClose }: { onClose: () => void }) {
  const mayEdit = useAllowed(EDIT);
  const [adding, setAdding] = useState(false);
  const { data } = useCall(listRules, {});
  if (adding) return <NewRule onClose={() => setAdding(false)} />;
  return (
    <Modal
      title="提成规则"
      open
      width={680}
      okText="新规则"
      okButtonProps={{ hidden: !mayEdit }}
      cancelText="关闭"
      onOk={() => setAdding(true)}
      onCancel={onClose}
    >
      <LineTable
        label="提成规则"
        row={RuleRow}
        rows={data?.map((each) => ({ ...each, steps: stepsText(each.steps) }))}
        rowId={({ from }) => from}
        none="还没有提成规则，提成显示为「—」"
      />
    </Modal>
  );
}
