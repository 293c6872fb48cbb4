import { Modal, Select } from 'antd';
import { useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { copyAplus } from '../contract/documents.ts';
import { localeOptions } from './locale-options.ts';
import { FORM_PATH } from './paths.ts';
import './editor/editor.css';
import { CHANGED } from './refresh.ts';

interface Props {
  source: { id: string; name: string; locale: string };
  onClose: () => void;
}

/** 复制到其他站点/语言: a new draft of the same modules, whose texts somebody translates. */
export function CopyDialog({ source, onClose }: Props) {
  const tab = useTab();
  const sites = useSiteOptions() ?? [];
  const [site, setSite] = useState<string>();
  const [locale, setLocale] = useState<string>();
  const choices = localeOptions(site);
  const send = useSend(copyAplus, {
    refreshes: CHANGED,
    onSuccess: ({ id }) => {
      notice.success('已建立草稿，请核对并翻译文字');
      tab.open(FORM_PATH, { title: `A+ ${source.name}`, query: { id } });
      onClose();
    },
  });
  const pick = (next: string) => {
    setSite(next);
    setLocale(localeOptions(next)[0]?.value);
  };
  return (
    <Modal
      open
      title="复制到其他站点/语言"
      okText="建立草稿"
      okButtonProps={{ disabled: !site || !locale }}
      confirmLoading={send.isPending}
      onOk={() => site && locale && send.mutate({ body: { id: source.id, site, locale } })}
      onCancel={onClose}
    >
      <p className="label">复制全部模块和图片，不含关联的 ASIN；文字不翻译。原文档语言：{source.locale || '未知'}。</p>
      <div className="aplus-stack">
        <Select
          aria-label="店铺/站点"
          placeholder="店铺/站点"
          value={site ?? null}
          options={sites}
          showSearch={{ optionFilterProp: 'label' }}
          onChange={pick}
        />
        <Select aria-label="语言" placeholder="语言" value={locale ?? null} options={choices} onChange={setLocale} />
      </div>
    </Modal>
  );
}
