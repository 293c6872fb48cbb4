import { LeftOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { metaOf } from '#kit/contract/columns.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { StoreName, stampText, Tag } from '#kit/web/cells/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { type DraftDetail, DraftState, EDIT } from '../contract/draft.ts';
import type { Steps } from './use-steps.ts';

interface Props {
  detail: DraftDetail;
  steps: Steps;
  onCopy: () => void;
}

/** Whose draft it is, how it stands, and when it goes by itself. */
export function DraftHead({ detail, steps, onCopy }: Props) {
  const tab = useTab();
  const state = metaOf(DraftState).states?.[detail.state];
  return (
    <div className="document-head">
      <button type="button" className="icon-button" aria-label="返回" onClick={tab.close}>
        <LeftOutlined />
      </button>
      <h1 className="code">{detail.sellerSku}</h1>
      {state && <Tag tone={state.tone} title={state.title} />}
      <span className="divider" />
      <span className="document-subject ellipsis">
        <StoreName store={detail.store} /> · {detail.productType} · {detail.product.name || '新商品'}
        {detail.problem && ` · ${detail.problem}`}
      </span>
      {detail.submitAt && (
        <span className="label">
          {stampText(detail.submitAt)} 定时提交
          {detail.may.submit && (
            <Button type="link" size="small" {...steps.button('schedule')} onClick={() => void steps.schedule(null)}>
              取消定时
            </Button>
          )}
        </span>
      )}
      <span className="spring" />
      <Allowed code={EDIT}>
        <Button size="small" onClick={onCopy}>
          复制到其他站点
        </Button>
      </Allowed>
    </div>
  );
}
