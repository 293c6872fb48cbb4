import { useEffect } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { countDaysIn } from '#kit/web/day.ts';
import { isLeaving, loseSession, rememberReturnUrl, setPermissions, useSession } from '#kit/web/session.ts';
import { menuRoute } from '#modules/identity/contract/menus.ts';
import { OVERSEA } from '#modules/purchase/contract/fields.ts';
import { FrameBody } from './FrameBody.tsx';
import { FrameSkeleton } from './FrameSkeleton.tsx';

/** Wait before a failed menu sends the user to the login: its message stays readable. */
const MENU_FAILURE_DELAY = 1000;
/** Key of the session storage that says whether purchasing from abroad is open to the user. */
const OVERSEA_FLAG = 'oversea';

function FrameWithMenu() {
  const menu = useCall(menuRoute, {}, { staleTime: Number.POSITIVE_INFINITY });
  const entries = menu.data;
  const failed = menu.isError || entries?.length === 0;

  useEffect(() => {
    if (!failed) return;
    const timer = setTimeout(() => loseSession(), MENU_FAILURE_DELAY);
    return () => clearTimeout(timer);
  }, [failed]);

  useEffect(() => {
    if (!entries) return;
    const codes = entries[0]?.meta.permissions;
    setPermissions(codes);
    // Read by pages that the company embeds, too.
    if (codes?.includes(OVERSEA)) sessionStorage.setItem(OVERSEA_FLAG, 'true');
    else sessionStorage.removeItem(OVERSEA_FLAG);
  }, [entries]);

  if (!entries || failed) return <FrameSkeleton failed={failed} />;
  // Screens ask for today as soon as they are there: an effect would come after them.
  countDaysIn(entries[0]?.meta.timeZone);
  return <FrameBody menu={entries} />;
}

/** Everything behind the login. Without a session the address is kept and the way goes to /ssologin. */
export function Frame() {
  const session = useSession();
  useEffect(() => {
    if (session || isLeaving()) return;
    rememberReturnUrl(window.location.pathname + window.location.search);
    window.location.assign('/ssologin');
  }, [session]);
  return session ? <FrameWithMenu key={session.id} /> : null;
}
