import '../message.css';
import { App, Button } from 'antd';
import { useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { State, When } from '#kit/web/cells/index.ts';
import { ObjectDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { Empty } from '#kit/web/states/index.ts';
import {
  ACTIONS,
  AnnouncementFilter,
  AnnouncementRow,
  audienceOptions,
  countAnnouncements,
  listAnnouncements,
  type PREFIXES,
  retractAnnounce,
} from '../../contract/announcements.ts';
import { type Draft, PublishDialog, publishTitle } from '../PublishDialog.tsx';
import { Rich } from '../Rich.tsx';
import { refreshMessages } from '../use-unread.ts';

/** The announcement without its prefix, to be written anew. */
function draftOf(row: AnnouncementRow): Draft {
  const { prefix, content, action, audience } = row;
  const title = prefix ? row.title.slice(`【${prefix}】`.length) : row.title;
  return { title, content, action, audience, ...(prefix ? { prefix: prefix as keyof typeof PREFIXES } : {}) };
}

function Detail({ row, onClose }: { row: AnnouncementRow | undefined; onClose: () => void }) {
  return (
    <ObjectDrawer open={row !== undefined} onClose={onClose} title={row?.title} subtitle={row?.audienceText}>
      {row && (
        <div className="message-preview" style={{ padding: '14px 16px' }}>
          <State value={row.state} states={AnnouncementRow.shape.state.meta()?.states ?? {}} />
          <span className="label">
            {ACTIONS[row.action]} · {row.createdByName} <When at={row.createdAt} /> · 已读 {row.readCount} 人
          </span>
          <Rich html={row.content} />
        </div>
      )}
    </ObjectDrawer>
  );
}

/** 公告发布: what the company (团队公告) or the platform (系统公告) announced, to whom, and how many read it. */
export default function Announcements() {
  const { modal } = App.useApp();
  const platform = useCall(audienceOptions, {}).data?.platform ?? false;
  const [draft, setDraft] = useState<Draft>();
  const [row, setRow] = useState<AnnouncementRow>();
  const retract = useSend(retractAnnounce, {
    refreshes: [listAnnouncements, countAnnouncements],
    onSuccess: () => {
      notice.success('公告已撤回');
      refreshMessages('announcement');
    },
  });
  const ask = (one: AnnouncementRow) =>
    modal.confirm({
      title: `撤回「${one.title}」`,
      content: `公告将从所有人的消息中移除，已有 ${one.readCount} 人读过。撤回后不能恢复，可以复制后重新发布。`,
      okText: '撤回公告',
      okButtonProps: { danger: true },
      onOk: () => retract.mutateAsync({ params: { id: one.id } }).catch(() => {}),
    });
  return (
    <>
      <ListScreen
        name="message/announcements"
        title="公告发布"
        unit="条"
        endpoint={listAnnouncements}
        row={AnnouncementRow}
        filter={AnnouncementFilter}
        tabs={{ field: 'state', counts: countAnnouncements }}
        density="dense"
        onOpen={setRow}
        current={row?.id}
        actions={(one) => [
          { label: '查看', onClick: () => setRow(one) },
          { label: '复制并编辑', onClick: () => setDraft(draftOf(one)) },
          {
            label: '撤回',
            danger: true,
            onClick: () => void ask(one),
            ...(one.state === 'published' ? {} : { blocked: one.state === 'expired' ? '已过期' : '已撤回' }),
          },
        ]}
        head={
          <Button type="primary" onClick={() => setDraft({})}>
            {publishTitle(platform)}
          </Button>
        }
        empty={
          <Empty
            title="还没有公告"
            text={`发布后，${platform ? '范围内的公司' : '本公司范围内的成员'}会在消息抽屉和首页看到；即时公告在登录后弹出。`}
          >
            <Button type="primary" onClick={() => setDraft({})}>
              {publishTitle(platform)}
            </Button>
          </Empty>
        }
      />
      <Detail row={row} onClose={() => setRow(undefined)} />
      {draft && <PublishDialog draft={draft} platform={platform} onClose={() => setDraft(undefined)} />}
    </>
  );
}
