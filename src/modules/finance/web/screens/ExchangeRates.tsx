import '../finance.css';
import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { call } from '#kit/web/api/index.ts';
import { companyDay } from '#kit/web/day.ts';
import { type FileCheck, ImportDialog } from '#kit/web/import/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { copyMonth, dropMonthRate, listRates, PRESET_RATES, RateFilter, RateRow } from '../../contract/rates.ts';
import { PeriodDrawer } from '../PeriodDrawer.tsx';
import { DayRateDialog, MonthRateDialog, refreshRates } from '../RateDialogs.tsx';
import { RateHistory } from '../RateHistory.tsx';
import { check, commit, template } from '../rate-import.ts';

const CURRENCIES = Object.keys(PRESET_RATES).filter((code) => code !== 'CNY');

/** 汇率与关账: official and own rates by month, their history, and the months that are closed. */
export default function ExchangeRates() {
  const [editing, setEditing] = useState<RateRow>();
  const [shown, setShown] = useState<RateRow>();
  const [open, setOpen] = useState<'day' | 'import' | 'periods'>();
  const mayEdit = useAllowed('fin:fx:edit');
  const close = () => setOpen(undefined);
  const copy = async () => {
    const month = companyDay().slice(0, 7);
    const { copied } = await call(copyMonth, { body: { month } }, {});
    notice.success(copied === 0 ? `${month} 没有需要复制的币种` : `已把上月 ${copied} 个币种的汇率复制到 ${month}`);
    await refreshRates();
  };
  const drop = async ({ currency, month }: RateRow) => {
    await call(dropMonthRate, { body: { currency, month } }, {});
    await refreshRates();
  };
  return (
    <>
      <ListScreen
        name="finance/rates"
        title="汇率与关账"
        unit="行"
        density="dense"
        endpoint={listRates}
        row={RateRow}
        filter={RateFilter}
        onOpen={setShown}
        current={shown?.id}
        head={
          <>
            <Button onClick={() => setOpen('periods')}>会计期间</Button>
            <Allowed code="fin:fx:edit">
              <Button onClick={() => void copy()}>复制上月</Button>
              <Button onClick={() => setOpen('import')}>导入</Button>
              <Button type="primary" onClick={() => setOpen('day')}>
                录入每日汇率
              </Button>
            </Allowed>
          </>
        }
        actions={(row) => [
          ...(mayEdit && !row.locked ? [{ label: '修改', edits: true, onClick: () => setEditing(row) }] : []),
          { label: '历史', onClick: () => setShown(row) },
          ...(mayEdit && !row.locked && row.mine ? [{ label: '恢复官方', onClick: () => void drop(row) }] : []),
        ]}
        note="1 单位外币兑人民币；利润报表按月折算"
      />
      {editing && <MonthRateDialog row={editing} onClose={() => setEditing(undefined)} />}
      {open === 'day' && <DayRateDialog currencies={CURRENCIES} onClose={close} />}
      <RateHistory row={shown} onClose={() => setShown(undefined)} />
      <PeriodDrawer open={open === 'periods'} onClose={close} />
      <ImportDialog<FileCheck>
        title="导入每日汇率"
        open={open === 'import'}
        onClose={close}
        check={check}
        commit={commit}
        template={template}
        onDone={() => void refreshRates()}
        accept=".xlsx"
      />
    </>
  );
}
