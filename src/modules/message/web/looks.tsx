import {
  AuditOutlined,
  BellOutlined,
  CheckCircleOutlined,
  CloseCircleOutlined,
  MailOutlined,
  NotificationOutlined,
  WarningOutlined,
} from '@ant-design/icons';
import type { ReactNode } from 'react';
import type { MessageRow } from '../contract/messages.ts';

export interface Look {
  icon: ReactNode;
  tone: 'neutral' | 'accent' | 'success' | 'warning' | 'danger';
}

const BY_EVENT: Record<string, Look> = {
  'marketplace.authorisationLost': { icon: <WarningOutlined />, tone: 'danger' },
  'marketplace.authorisationExpiring': { icon: <WarningOutlined />, tone: 'warning' },
  'marketplace.roleMissing': { icon: <WarningOutlined />, tone: 'warning' },
  'marketplace.uploadFailed': { icon: <CloseCircleOutlined />, tone: 'danger' },
  'identity.loginFailures': { icon: <WarningOutlined />, tone: 'danger' },
};

const DONE: Look = { icon: <CheckCircleOutlined />, tone: 'success' };
const FAILED: Look = { icon: <CloseCircleOutlined />, tone: 'danger' };

/** Icon and tone of a message: what it is about decides, else its kind. */
export function lookOf(row: MessageRow): Look {
  const known = row.event ? BY_EVENT[row.event] : undefined;
  if (known) return known;
  if (row.event === 'kit.taskFinished') return row.title.endsWith('失败') ? FAILED : DONE;
  if (row.link?.query.isGoExamine) return { icon: <AuditOutlined />, tone: 'warning' };
  if (row.kind === 'announcement') return { icon: <NotificationOutlined />, tone: 'accent' };
  if (row.kind === 'private') return { icon: <MailOutlined />, tone: 'accent' };
  return { icon: <BellOutlined />, tone: 'neutral' };
}

/** What opening a message does, as its link says it; undefined where it only shows the whole text. */
export function stepOf(row: MessageRow): string | undefined {
  if (row.documentType === 'file') return '下载结果';
  if (!row.link) return undefined;
  return row.link.query.isGoExamine ? '查看单据并审批' : `查看${row.link.title}`;
}
