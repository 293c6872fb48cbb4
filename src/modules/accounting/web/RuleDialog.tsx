import './accounting.css';
import { DatePicker, Modal, Segmented, Switch, Tabs } from 'antd';
import dayjs from 'dayjs';
import { useState } from 'react';
import type { Reply } from '#kit/contract/endpoint.ts';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { companyDay } from '#kit/web/day.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { EDIT_SUBJECTS, monthAfter } from '../contract/fields.ts';
import { Grouping, listRules, type RuleInput, ruleData, saveRule } from '../contract/rules.ts';
import { RulePlaces } from './RulePlaces.tsx';
import { RulePreview } from './RulePreview.tsx';

type Data = Reply<typeof ruleData>;

const GROUPINGS = Object.entries(Grouping.meta()?.states ?? {}).map(([value, { title }]) => ({
  value,
  label: title,
}));

function Month({ label, value, onChange }: { label: string; value: string; onChange: (month: string) => void }) {
  return (
    <DatePicker
      picker="month"
      aria-label={label}
      allowClear={false}
      value={dayjs(`${value}-01`)}
      onChange={(month) => month && onChange(month.format('YYYY-MM'))}
    />
  );
}

function Body({ data, onClose }: { data: Data; onClose: () => void }) {
  const { rule, places } = data;
  const present = companyDay().slice(0, 7);
  const mayEdit = useAllowed(EDIT_SUBJECTS);
  const [draft, setDraft] = useState<RuleInput>({
    by: rule.by,
    active: rule.state === 'ON',
    subjects: data.subjects,
  });
  const [fromMonth, setFromMonth] = useState(present);
  const [month, setMonth] = useState(monthAfter(present, -1));
  const send = useSend(saveRule, {
    refreshes: [listRules, ruleData],
    onSuccess: ({ version }) => {
      notice.success(`${rule.title} 已保存为版本 ${version}，从 ${fromMonth} 起生效`);
      onClose();
    },
  });
  const { source, version } = rule;
  return (
    <Modal
      open
      width={980}
      title={`凭证模板 ${rule.title}`}
      okText="保存为新版本"
      cancelText="取消"
      okButtonProps={{ disabled: !mayEdit }}
      confirmLoading={send.isPending}
      onOk={() => send.mutate({ body: { ...draft, source, version, fromMonth } })}
      onCancel={onClose}
    >
      <p className="label">{rule.about}</p>
      <div className="accounting-rule-head">
        <Segmented
          aria-label="合并方式"
          value={draft.by}
          options={GROUPINGS}
          disabled={!mayEdit}
          onChange={(by) => setDraft({ ...draft, by: Grouping.parse(by) })}
        />
        <span className="accounting-rule-field">
          启用
          <Switch
            size="small"
            aria-label="启用"
            checked={draft.active}
            disabled={!mayEdit}
            onChange={(active) => setDraft({ ...draft, active })}
          />
        </span>
        <span className="accounting-rule-field">
          生效月份 <Month label="生效月份" value={fromMonth} onChange={setFromMonth} />
        </span>
      </div>
      <Tabs
        items={[
          {
            key: 'places',
            label: '科目',
            children: (
              <RulePlaces
                places={places}
                subjects={draft.subjects}
                disabled={!mayEdit}
                onChange={(subjects) => setDraft({ ...draft, subjects })}
              />
            ),
          },
          {
            key: 'preview',
            label: '预览',
            children: (
              <>
                <div className="accounting-rule-head">
                  <span className="accounting-rule-field">
                    业务月份 <Month label="业务月份" value={month} onChange={setMonth} />
                  </span>
                  <span className="label">按上面的设置试算，不生成凭证</span>
                </div>
                <RulePreview source={source} month={month} rule={draft} />
              </>
            ),
          },
        ]}
      />
    </Modal>
  );
}

/** How the events of one part of the business are booked: subjects, what makes a voucher, since when; and what that makes. */
export function RuleDialog({ source, onClose }: { source: string; onClose: () => void }) {
  const { data } = useCall(ruleData, { body: { source } }, { staleTime: 0 });
  return data ? <Body key={data.rule.version} data={data} onClose={onClose} /> : null;
}
