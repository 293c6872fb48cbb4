import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { countLoginLog, exportLoginLog, LoginLogFilter, LoginLogRow, listLoginLog } from '../../contract/security.ts';

/** 登录日志: every attempt on an account of the company, good or bad, and why it failed. */
export default function LoginLog() {
  const mayExport = useAllowed('sys:log:export');
  return (
    <ListScreen
      name="identity/loginlog"
      title="登录日志"
      unit="次"
      endpoint={listLoginLog}
      {...(mayExport ? { exportEndpoint: exportLoginLog } : {})}
      row={LoginLogRow}
      filter={LoginLogFilter}
      tabs={{ field: 'result', counts: countLoginLog }}
      density="dense"
      note="保留24个月"
    />
  );
}
