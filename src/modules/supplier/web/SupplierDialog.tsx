import { Button, Input, InputNumber, Select } from 'antd';
import { useEffect, useState } from 'react';
import { cacheKey, call, queryClient, uuid } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import {
  type Contact,
  countSuppliers,
  listSuppliers,
  type Stage,
  type SupplierDetail,
  SupplierForm,
  saveSupplier,
  selectSuppliers,
  supplierDetail,
} from '../contract.ts';

const ANCHORS = [
  { value: 'order', label: '下单后' },
  { value: 'before_shipment', label: '发货前' },
  { value: 'receipt', label: '到货后' },
  { value: 'invoice', label: '收票后' },
  { value: 'monthly', label: '月结' },
] as const;
const NEW = { currency: 'CNY', invoiceType: 'none', invoiceRate: '0' };
/** Lines are told apart by their place: stages and people may look alike. */
const lineKey = (index: number) => `line-${index}`;
const OLD = [listSuppliers, countSuppliers, supplierDetail, selectSuppliers];

function Terms({ stages, onChange }: { stages: readonly Stage[]; onChange: (stages: Stage[]) => void }) {
  const put = (index: number, more: Partial<Stage>) =>
    onChange(stages.map((one, at) => (at === index ? { ...one, ...more } : one)));
  return (
    <div>
      <span className="field-label">结算条款</span>
      {stages.map((stage, index) => (
        <div className="supplier-line" key={lineKey(index)}>
          <Select<Stage['anchor']>
            size="small"
            aria-label="起算"
            value={stage.anchor}
            onChange={(anchor) => put(index, { anchor })}
            options={[...ANCHORS]}
          />
          <InputNumber
            size="small"
            aria-label="天数"
            min={0}
            max={365}
            precision={0}
            value={stage.days}
            suffix="天"
            onChange={(days) => put(index, { days: days ?? 0 })}
          />
          <InputNumber
            size="small"
            aria-label="比例"
            min={1}
            max={100}
            value={Number(stage.share) * 100}
            suffix="%"
            onChange={(share) => put(index, { share: String((share ?? 0) / 100) })}
          />
          <Button size="small" type="text" onClick={() => onChange(stages.filter((_, at) => at !== index))}>
            删除
          </Button>
        </div>
      ))}
      <Button
        size="small"
        onClick={() => onChange([...stages, { share: stages.length === 0 ? '1' : '0.3', anchor: 'order', days: 0 }])}
      >
        添加阶段
      </Button>
    </div>
  );
}

function Contacts({ contacts, onChange }: { contacts: readonly Contact[]; onChange: (contacts: Contact[]) => void }) {
  const put = (index: number, more: Partial<Contact>) =>
    onChange(contacts.map((one, at) => (at === index ? { ...one, ...more } : one)));
  return (
    <div>
      <span className="field-label">联系人</span>
      {contacts.map((contact, index) => (
        <div className="supplier-line" key={lineKey(index)}>
          <Input
            size="small"
            aria-label="姓名"
            placeholder="姓名"
            value={contact.name}
            onChange={(event) => put(index, { name: event.target.value })}
          />
          <Input
            size="small"
            aria-label="职务"
            placeholder="职务"
            value={contact.role}
            onChange={(event) => put(index, { role: event.target.value })}
          />
          <Input
            size="small"
            aria-label="电话"
            placeholder="电话"
            value={contact.phone}
            onChange={(event) => put(index, { phone: event.target.value })}
          />
          <Input
            size="small"
            aria-label="微信"
            placeholder="微信"
            value={contact.wechat}
            onChange={(event) => put(index, { wechat: event.target.value })}
          />
          <Button size="small" type="text" onClick={() => onChange(contacts.filter((_, at) => at !== index))}>
            删除
          </Button>
        </div>
      ))}
      <Button
        size="small"
        onClick={() => onChange([...contacts, { name: '', role: '', phone: '', email: '', wechat: '' }])}
      >
        添加联系人
      </Button>
    </div>
  );
}

/** A supplier with its terms and contacts. */
export function SupplierDialog({
  supplier,
  onClose,
}: {
  supplier: SupplierDetail | 'new' | undefined;
  onClose: () => void;
}) {
  const form = useForm(SupplierForm, NEW);
  const [terms, setTerms] = useState<Stage[]>([]);
  const [contacts, setContacts] = useState<Contact[]>([]);
  const { reset } = form;
  useEffect(() => {
    if (!supplier) return;
    reset(supplier === 'new' ? NEW : { ...supplier });
    setTerms(supplier === 'new' ? [] : supplier.terms);
    setContacts(supplier === 'new' ? [] : supplier.contacts);
  }, [supplier, reset]);
  const known = supplier === 'new' || !supplier ? {} : { id: supplier.id, version: supplier.version };
  return (
    <FormDialog
      title={supplier === 'new' ? '新增供应商' : '修改供应商'}
      open={supplier !== undefined}
      form={form}
      width={760}
      columns={3}
      fields={{
        fullName: { span: 2 },
        address: { span: 3 },
        remark: { span: 3 },
        invoiceRate: { hidden: form.values.invoiceType === 'none' },
        code: { placeholder: '自动编号' },
      }}
      onSubmit={async (values) => {
        const body = { ...values, ...known, terms, contacts: contacts.filter((one) => one.name.trim() !== '') };
        await call(saveSupplier, { body }, { quiet: true, idempotencyKey: uuid() });
        await Promise.all(OLD.map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })));
      }}
      onClose={onClose}
    >
      <Terms stages={terms} onChange={setTerms} />
      <Contacts contacts={contacts} onChange={setContacts} />
    </FormDialog>
  );
}
