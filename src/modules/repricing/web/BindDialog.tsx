import { Input, Modal, Select } from 'antd';
import { useMemo, useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { bindListings } from '../contract/bindings.ts';
import { parsed } from './pasted.ts';
import { REFRESHES } from './refreshes.ts';

/** Puts pasted SKUs of a site under a rule, each with its lowest and highest price. */
export function BindDialog({ ruleId, onClose }: { ruleId: string; onClose: () => void }) {
  const sites = useSiteOptions();
  const [site, setSite] = useState<string>();
  const [text, setText] = useState('');
  const { lines, wrong } = useMemo(() => parsed(text), [text]);
  const send = useSend(bindListings, {
    refreshes: REFRESHES,
    onSuccess: ({ bound, changed }) => {
      notice.success(`已绑定 ${bound} 个商品，更新 ${changed} 个`);
      onClose();
    },
  });
  const fit = site !== undefined && lines.length > 0 && wrong.length === 0;
  return (
    <Modal
      title="绑定商品"
      open
      width={640}
      okText={`绑定 ${lines.length} 个`}
      okButtonProps={{ disabled: !fit }}
      confirmLoading={send.isPending}
      onOk={() => site !== undefined && send.mutate({ body: { ruleId, site, lines } })}
      onCancel={onClose}
    >
      <div className="form" style={{ gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <Select
          aria-label="店铺/站点"
          placeholder="店铺/站点"
          options={sites ?? []}
          value={site ?? null}
          showSearch={{ optionFilterProp: 'label' }}
          onChange={(value: string) => setSite(value)}
        />
        <Input.TextArea
          aria-label="商品与价格"
          placeholder={'从表格粘贴，每行：MSKU  最低价  最高价  其它成本(可选)\nNQ-LAMP-S-BLK  17.80  24.99  1.20'}
          autoSize={{ minRows: 8, maxRows: 16 }}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <p className="label">
          {wrong.length > 0
            ? `第 ${wrong.slice(0, 10).join('、')} 行格式不正确`
            : '价格为站点币种；其它成本为每件的头程、仓储与退货预留，不含采购成本和亚马逊配送费。已绑定的商品更新价格。'}
        </p>
      </div>
    </Modal>
  );
}
