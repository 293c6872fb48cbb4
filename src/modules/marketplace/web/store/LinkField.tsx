import { CopyOutlined, WarningFilled } from '@ant-design/icons';
import { Button, Input } from 'antd';
import { copyText } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';

/** A consent link to copy. */
export function LinkField({ url }: { url: string }) {
  const copy = async () => {
    if (await copyText(url)) notice.success('授权链接已复制，10 分钟内有效');
  };
  return (
    <div className="field">
      <span>授权链接（10 分钟内有效，只能使用一次）</span>
      <div className="consent-link">
        <Input readOnly value={url} aria-label="授权链接" onFocus={(event) => event.target.select()} />
        <Button icon={<CopyOutlined />} onClick={() => void copy()}>
          复制
        </Button>
      </div>
    </div>
  );
}

/** The red banner over every consent. */
export function NetworkWarning() {
  return (
    <p className="note is-danger">
      <WarningFilled />
      <span>请确保当前电脑和网络是该店铺的常用环境，以免店铺关联。也可以复制链接，到常用环境中打开。</span>
    </p>
  );
}
