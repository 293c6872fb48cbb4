import { InboxOutlined } from '@ant-design/icons';
import { Select, Upload } from 'antd';
import { useState } from 'react';
import type { Reply } from '#kit/contract/endpoint.ts';
import { cacheKey, messageOf, queryClient, upload, useCall } from '#kit/web/api/index.ts';
import { ProgressBar } from '#kit/web/cells/index.ts';
import { authMarketplace } from '../../contract/stores.ts';
import { reportTypeList, uploadCounts, uploadList, uploadReportFile } from '../../contract/uploads.ts';

type Taken = Reply<typeof uploadReportFile>;

interface Props {
  /** The file is there: a new batch, or the one that it was in before. */
  onTaken: (taken: Taken) => void;
}

/** Step 1: whose file, what it is, and the file itself. A refused file says why and leaves everything as it was. */
export function PickStep({ onTaken }: Props) {
  const sites = useCall(authMarketplace, {});
  const types = useCall(reportTypeList, {});
  const [site, setSite] = useState<string>();
  const [type, setType] = useState<string>();
  const [share, setShare] = useState<number>();
  const [answer, setAnswer] = useState<{ tone: 'danger' | 'info'; text: string }>();
  const chosen = site ?? (sites.data?.length === 1 ? sites.data[0]?.value : undefined);

  const send = async (file: File) => {
    if (!chosen) return;
    setAnswer(undefined);
    setShare(0);
    try {
      const body = { amazonauthid: chosen, ...(type ? { requesttype: type } : {}) };
      const taken = await upload(uploadReportFile, { body }, file, { quiet: true, onProgress: setShare });
      for (const each of [uploadList, uploadCounts]) {
        void queryClient.invalidateQueries({ queryKey: cacheKey(each) });
      }
      if (taken.id === null || taken.state === 'loaded') setAnswer({ tone: 'info', text: taken.message });
      else onTaken(taken);
    } catch (error) {
      setAnswer({ tone: 'danger', text: messageOf(error) });
    } finally {
      setShare(undefined);
    }
  };

  return (
    <>
      <div className="upload-fields">
        <div className="field">
          <span className="label">店铺与站点</span>
          <Select
            aria-label="店铺与站点"
            placeholder="请选择店铺"
            showSearch={{ optionFilterProp: 'label' }}
            loading={sites.isLoading}
            options={sites.data ?? []}
            notFoundContent="还没有店铺，请先在店铺管理中授权或新增手工店铺"
            {...(chosen === undefined ? {} : { value: chosen })}
            onChange={setSite}
          />
        </div>
        <div className="field">
          <span className="label">报表类型</span>
          <Select
            aria-label="报表类型"
            placeholder="自动识别"
            allowClear
            showSearch={{ optionFilterProp: 'label' }}
            loading={types.isLoading}
            options={types.data ?? []}
            onChange={setType}
          />
        </div>
      </div>
      <Upload.Dragger
        accept=".txt,.tsv,.csv,.xlsx,.gz"
        maxCount={1}
        showUploadList={false}
        disabled={!chosen || share !== undefined}
        beforeUpload={(file) => {
          void send(file);
          return false;
        }}
      >
        <p className="upload-drop-icon">
          <InboxOutlined />
        </p>
        <p>{chosen ? '点击或把文件拖到这里' : '请先选择店铺'}</p>
        <p className="text3">
          结算、全部订单、FBA库存、在线商品报告，或自己的订单列表；TXT、CSV、XLSX、GZ，最大 500 MB
        </p>
      </Upload.Dragger>
      <div className="upload-slot" aria-live="polite">
        {share !== undefined &&
          (share < 1 ? <ProgressBar percent={share * 100} /> : <span className="text2">正在检查整个文件…</span>)}
        {answer && (
          <p className={`note is-${answer.tone}`}>
            <span>{answer.text}</span>
          </p>
        )}
      </div>
    </>
  );
}
