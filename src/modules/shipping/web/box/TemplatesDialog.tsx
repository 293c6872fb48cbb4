import { PlusOutlined } from '@ant-design/icons';
import { Button, Modal, Popconfirm, Select } from 'antd';
import { useState } from 'react';
import { call } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import {
  BoxRules,
  type BoxTemplate,
  deleteTemplate,
  putBoxRules,
  saveTemplate,
  TemplateForm,
} from '../../contract/box/template.ts';
import { AUDIT } from '../../contract/fields.ts';
import { refreshTemplates, useTemplates } from './templates.ts';

const RULES = Object.entries(BoxRules.meta()?.states ?? {}).map(([value, { title }]) => ({ value, label: title }));

function Edit({ template, onClose }: { template: BoxTemplate | undefined; onClose: () => void }) {
  const form = useForm(TemplateForm, template ?? { tare: '0' });
  return (
    <FormDialog
      title={template ? '编辑箱型' : '新增箱型'}
      open
      form={form}
      columns={3}
      fields={{ name: { span: 3, placeholder: '如 五层 60×40×40' }, maxWeight: { help: '含空箱，留空按站点规则' } }}
      onSubmit={async (values) => {
        const known = template ? { id: template.id, version: template.version } : {};
        await call(saveTemplate, { body: { ...values, ...known } }, { quiet: true });
        notice.success('箱型已保存');
        await refreshTemplates();
      }}
      onClose={onClose}
    />
  );
}

function Row({ one, onEdit }: { one: BoxTemplate; onEdit: () => void }) {
  const remove = async () => {
    await call(deleteTemplate, { body: { id: one.id } }, {});
    notice.success(`箱型【${one.name}】已删除`);
    await refreshTemplates();
  };
  return (
    <tr>
      <td>{one.name}</td>
      <td className="num">{`${one.length}×${one.width}×${one.height}`}</td>
      <td className="is-right num">{one.tare}</td>
      <td className="is-right num">{one.maxWeight ?? '—'}</td>
      <td className="is-right">
        <Button size="small" type="link" onClick={onEdit}>
          编辑
        </Button>
        <Popconfirm title={`删除箱型【${one.name}】？`} okText="删除" onConfirm={() => void remove().catch(() => {})}>
          <Button size="small" type="link" danger>
            删除
          </Button>
        </Popconfirm>
      </td>
    </tr>
  );
}

/** 箱型: the company's cartons, and what happens with a box that its site does not take. */
export function TemplatesDialog({ onClose }: { onClose: () => void }) {
  const data = useTemplates();
  const mayRule = useAllowed(AUDIT);
  const [edited, setEdited] = useState<BoxTemplate | 'new'>();
  const rule = async (rules: BoxRules) => {
    await call(putBoxRules, { body: { rules } }, {});
    notice.success('装箱规则已保存');
    await refreshTemplates();
  };
  return (
    <Modal title="箱型" open width={680} footer={null} onCancel={onClose}>
      <div className="box-bar">
        <span>箱子超出站点限制时</span>
        <Select
          size="small"
          aria-label="箱子超出站点限制时"
          style={{ width: 140 }}
          disabled={!mayRule || !data}
          value={data?.rules ?? null}
          options={RULES}
          onChange={(next) => void rule(next as BoxRules).catch(() => {})}
        />
        <span className="spring" />
        <Button size="small" icon={<PlusOutlined />} onClick={() => setEdited('new')}>
          新增箱型
        </Button>
      </div>
      <div className="line-table" style={{ maxHeight: 420, overflow: 'auto' }}>
        <table aria-label="箱型">
          <thead>
            <tr>
              <th>名称</th>
              <th>长×宽×高(cm)</th>
              <th className="is-right">空箱重(kg)</th>
              <th className="is-right">最大毛重(kg)</th>
              <th aria-label="操作" />
            </tr>
          </thead>
          <tbody>
            {data?.templates.map((one) => (
              <Row key={one.id} one={one} onEdit={() => setEdited(one)} />
            ))}
          </tbody>
        </table>
        {data?.templates.length === 0 && <div className="line-table-none">还没有箱型</div>}
      </div>
      {edited && <Edit template={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
    </Modal>
  );
}
