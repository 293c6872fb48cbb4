import { CopyOutlined } from '@ant-design/icons';
import { Button, Modal } from 'antd';
import { useEffect } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import { Copy, copyText } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { type RenewLink, renewLinks } from '../../contract/stores.ts';

/** One line per store, for a message to whoever sits at its machine. */
function textOf(links: readonly RenewLink[]): string {
  return links
    .flatMap((link) => (link.url ? [`${link.gname}（${link.network || '常用环境'}）\n${link.url}`] : []))
    .join('\n\n');
}

/** 批量续期链接: a link per account with the note on its network; each works once within ten minutes. */
export function RenewDialog({ authids, onClose }: { authids: readonly string[]; onClose: () => void }) {
  const send = useSend(renewLinks);
  const { mutate, data } = send;
  // Asked for once: every further asking would make further links.
  useEffect(() => mutate({ body: { authids: [...authids] } }), [mutate, authids]);
  const all = async () => {
    if (data && (await copyText(textOf(data)))) notice.success('全部续期链接已复制，10 分钟内有效');
  };
  return (
    <Modal
      open
      width={760}
      title="批量续期链接"
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>关闭</Button>
          <Button type="primary" icon={<CopyOutlined />} disabled={!data?.some((link) => link.url)} onClick={all}>
            复制全部
          </Button>
        </>
      }
    >
      <div className="dialog-form">
        <p className="note is-warning">
          <span>每个链接 10 分钟内有效、只能使用一次，请分别在各店铺的常用网络环境中打开。</span>
        </p>
        <table className="account-table">
          <thead>
            <tr>
              <th>店铺账号</th>
              <th>卖家ID</th>
              <th>网络环境</th>
              <th>续期链接</th>
            </tr>
          </thead>
          <tbody>
            {data?.map((link) => (
              <tr key={link.authid}>
                <td>{link.gname}</td>
                <td className="code">{link.sellerid}</td>
                <td>{link.network || <span className="text3">未填写</span>}</td>
                <td>
                  {link.url ? (
                    <>
                      <span className="renew-link ellipsis code">{link.url}</span>
                      <Copy text={link.url} label={`复制 ${link.gname} 的续期链接`} />
                    </>
                  ) : (
                    <span className="text3">{link.problem}</span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Modal>
  );
}
