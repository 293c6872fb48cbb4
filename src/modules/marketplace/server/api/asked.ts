import { type AppError, refused } from '#kit/server/errors.ts';
import { ApiRefused, AuthLost, ComeBackLater } from './port.ts';

const BUSY = 'B0761';

/** Whether somebody was refused for want of calls alone: later the same may be had. */
export function isBusy(error: AppError): boolean {
  return (error.data as { code?: unknown } | null)?.code === BUSY;
}

/** What a call that somebody waits for says when it fails. @throws AppError in Chinese: B0760 consent, B0761 busy, B0762 refused */
export async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AuthLost) throw refused('店铺授权已失效，请重新授权', 'B0760');
    if (error instanceof ComeBackLater) {
      throw refused(`亚马逊接口繁忙，请 ${Math.max(1, Math.ceil(error.afterMs / 1000))} 秒后重试`, BUSY);
    }
    if (error instanceof ApiRefused) {
      const role = error.status === 403 ? '缺少权限角色，' : '';
      throw refused(`亚马逊拒绝：${role}${error.message}`, 'B0762');
    }
    throw error;
  }
}
