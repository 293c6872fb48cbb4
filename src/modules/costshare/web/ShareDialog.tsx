import { Select } from 'antd';
import { z } from 'zod';
import type { Reply } from '#kit/contract/endpoint.ts';
import { useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { ShareBody, shareCost } from '../contract/calls.ts';
import type { CostRowInput } from '../contract/document.ts';

const Form = z.object(ShareBody.shape).pick({ stores: true, skus: true, base: true });

interface Props {
  /** What is shared, as the head of the document says. */
  cost: { amount: string; currency: string; from: string; to: string };
  /** Asks for the rows where a module above has a call of its own for them. */
  ask?: (body: z.output<typeof ShareBody>) => Promise<Reply<typeof shareCost>>;
  onShared: (rows: CostRowInput[]) => void;
  onClose: () => void;
}

/** 按规则分摊: fills the rows of a document by what SKUs sold in its period. */
export function ShareDialog({ cost, ask, onShared, onClose }: Props) {
  const sites = useSiteOptions();
  const form = useForm(Form, { base: 'NET_SALES', stores: [], skus: [] });
  const send = useSend(shareCost, { quiet: true });
  const share = async (values: z.output<typeof Form>) => {
    const body = { ...values, ...cost };
    const { rows, base } = await (ask ? ask(body) : send.mutateAsync({ body }));
    if (base !== values.base) notice.info('所选商品在该期间没有分摊基数，已改为平均分摊');
    else if (rows.every(({ sku }) => sku === '')) notice.info('该期间没有有销量的商品，已分摊到店铺');
    onShared(rows);
  };
  return (
    <FormDialog
      title="按规则分摊"
      okText="分摊"
      open
      form={form}
      fields={{
        stores: { options: sites ?? [], span: 2 },
        base: { span: 2, help: `以 ${cost.from} 至 ${cost.to} 的利润报表为基数` },
        skus: {
          span: 2,
          help: '不填为所选店铺在该期间有销量的全部商品',
          render: ({ id, value, onChange }) => (
            <Select
              id={id}
              mode="tags"
              style={{ width: '100%' }}
              open={false}
              suffixIcon={null}
              maxTagCount={12}
              tokenSeparators={[',', '，', ' ', '\n', '\t']}
              placeholder="SKU"
              value={Array.isArray(value) ? value.map(String) : []}
              onChange={onChange}
            />
          ),
        },
      }}
      onSubmit={share}
      onClose={onClose}
    />
  );
}
