import { Button } from 'antd';
import { download } from '#kit/web/api/index.ts';
import { copyText, Tag } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { quoteSheet } from '../../contract/quote-request/calls.ts';
import '../transport/transport.css';

interface Asked {
  carrierId: string;
  carrier: string;
  answered: boolean;
  text: string;
}

async function copy(text: string): Promise<void> {
  if (await copyText(text)) notice.success('已复制，可粘贴到微信或邮件');
  else notice.error('浏览器不允许复制，请手工选择');
}

/** 询价文本: what each forwarder is told, to be copied or given out as a sheet. */
export function AskTexts({ id, asked }: { id: string; asked: readonly Asked[] }) {
  return asked.map(({ carrierId, carrier, answered, text }) => (
    <section key={carrierId} className="trans-section" aria-label={carrier}>
      <div className="trans-head">
        <h2>{carrier}</h2>
        <Tag tone={answered ? 'done' : 'waiting'} title={answered ? '已报价' : '待报价'} />
        <span className="spring" />
        <Button size="small" onClick={() => void copy(text)}>
          复制文本
        </Button>
        <Button
          size="small"
          onClick={() => void download(quoteSheet, { params: { id }, query: { carrier: carrierId } })}
        >
          下载询价表
        </Button>
      </div>
      <div className="claim-text">
        <pre>{text}</pre>
      </div>
    </section>
  ));
}
