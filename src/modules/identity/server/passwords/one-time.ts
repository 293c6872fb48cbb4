import { AppError } from '#kit/server/errors.ts';
import { MUST_CHANGE } from '../../contract/account.ts';
import { updatePasswordSelf } from '../../contract/self.ts';
import { logout } from '../../contract/session.ts';
import { userInfo } from '../../contract/users.ts';

/** All that somebody may do who came in with a password that somebody else made up. */
const OPEN: ReadonlySet<string> = new Set([updatePasswordSelf.path, logout.path, userInfo.path]);

/** @throws AppError 403 A0304 for every call but those that change the password or leave */
export function changeFirst(path: string): void {
  if (!OPEN.has(path)) throw new AppError(403, 403, '当前为一次性密码，请先修改密码', { code: MUST_CHANGE });
}
