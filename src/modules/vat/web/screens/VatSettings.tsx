import { Button, DatePicker, Input, Select, Switch } from 'antd';
import dayjs from 'dayjs';
import { useState } from 'react';
import type { Reply } from '#kit/contract/endpoint.ts';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { COUNTRIES, type Country, EDIT } from '../../contract/fields.ts';
import { type Entity, readSettings, saveRates, saveSites } from '../../contract/settings.ts';
import { EntityDialog } from '../EntityDialog.tsx';
import { Logo } from '../Logo.tsx';
import '../vat.css';

type VatSetup = Reply<typeof readSettings>;
interface Part {
  data: VatSetup;
  mayEdit: boolean;
}

function Entities({ data, mayEdit, onOpen }: Part & { onOpen: (entity: Entity | 'new') => void }) {
  return (
    <section>
      <div className="vat-bar">
        <h2>开票主体</h2>
        {mayEdit && (
          <Button size="small" onClick={() => onOpen('new')}>
            新增
          </Button>
        )}
      </div>
      <div className="line-table is-dense">
        <table aria-label="开票主体">
          <thead>
            <tr>
              <th>Logo</th>
              <th>公司名称</th>
              <th>VAT号</th>
              <th>OSS注册国</th>
              <th>发票号规则</th>
              <th>红字发票号规则</th>
              <th>操作</th>
            </tr>
          </thead>
          <tbody>
            {data.entities.map((one) => (
              <tr key={one.id}>
                <td>
                  <Logo of={one} mayEdit={mayEdit} />
                </td>
                <td>{one.name}</td>
                <td className="num">{one.numbers.map(({ number }) => number).join('、')}</td>
                <td>{one.ossCountry ?? '—'}</td>
                <td className="num">{one.invoicePattern}</td>
                <td className="num">{one.creditPattern}</td>
                <td>
                  {mayEdit && (
                    <button type="button" className="link" onClick={() => onOpen(one)}>
                      修改
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Sites({ data, mayEdit }: Part) {
  const send = useSend(saveSites, { refreshes: [readSettings], onSuccess: () => notice.success('站点设置已保存') });
  const entities = data.entities.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <section>
      <h2>站点</h2>
      <p className="label">选择主体后读取该站点待开票的发货；自动开票会在发货后24小时内生成并上传。</p>
      <div className="line-table is-dense">
        <table aria-label="开票站点">
          <thead>
            <tr>
              <th>店铺/站点</th>
              <th>开票主体</th>
              <th>自动开票并上传</th>
            </tr>
          </thead>
          <tbody>
            {data.sites.map(({ site, name, entityId, auto }) => (
              <tr key={site}>
                <td>{name}</td>
                <td>
                  <Select
                    size="small"
                    allowClear
                    aria-label={`${name} 开票主体`}
                    style={{ width: 220 }}
                    disabled={!mayEdit}
                    options={entities}
                    value={entityId}
                    onChange={(next) =>
                      send.mutate({ body: { sites: [{ site, entityId: next ?? null, auto: next ? auto : false }] } })
                    }
                  />
                </td>
                <td>
                  <Switch
                    size="small"
                    aria-label={`${name} 自动开票`}
                    disabled={!mayEdit || entityId === null}
                    checked={auto}
                    onChange={(next) => send.mutate({ body: { sites: [{ site, entityId, auto: next }] } })}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function NewRate() {
  const [country, setCountry] = useState<Country>('DE');
  const [rate, setRate] = useState('');
  const [day, setDay] = useState(() => dayjs());
  const send = useSend(saveRates, {
    refreshes: [readSettings],
    onSuccess: () => {
      notice.success('税率已添加');
      setRate('');
    },
  });
  const add = () => send.mutate({ body: { rates: [{ country, rate, validFrom: day.format('YYYY-MM-DD') }] } });
  return (
    <div className="vat-bar">
      <Select
        size="small"
        aria-label="国家"
        style={{ width: 110 }}
        options={Object.entries(COUNTRIES).map(([value, label]) => ({ value: value as Country, label }))}
        value={country}
        onChange={setCountry}
      />
      <Input
        size="small"
        aria-label="税率%"
        placeholder="税率%"
        style={{ width: 90 }}
        value={rate}
        onChange={({ target }) => setRate(target.value)}
      />
      <DatePicker
        size="small"
        aria-label="生效日"
        allowClear={false}
        value={day}
        onChange={(next) => next && setDay(next)}
      />
      <Button size="small" loading={send.isPending} disabled={rate.trim() === ''} onClick={add}>
        添加税率
      </Button>
    </div>
  );
}

function Rates({ data, mayEdit }: Part) {
  return (
    <section>
      <h2>税率</h2>
      <p className="label">只增不改，按发货日取最后生效的一条。亚马逊代算税额的订单以亚马逊为准。</p>
      {mayEdit && <NewRate />}
      <div className="line-table is-dense">
        <table aria-label="VAT税率">
          <thead>
            <tr>
              <th>国家</th>
              <th className="is-right">税率%</th>
              <th>生效日</th>
            </tr>
          </thead>
          <tbody>
            {data.rates.map((one) => (
              <tr key={`${one.country} ${one.validFrom} ${one.rate}`}>
                <td>{COUNTRIES[one.country]}</td>
                <td className="is-right num">{one.rate}</td>
                <td className="num">{one.validFrom === '2000-01-01' ? '默认' : one.validFrom}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function SeriesTable({ data }: Pick<Part, 'data'>) {
  if (data.series.length === 0) return null;
  return (
    <section>
      <h2>编号系列</h2>
      <div className="line-table is-dense">
        <table aria-label="编号系列">
          <thead>
            <tr>
              <th>开票主体</th>
              <th>国家</th>
              <th>类型</th>
              <th>年度</th>
              <th>规则</th>
              <th className="is-right">已用到</th>
            </tr>
          </thead>
          <tbody>
            {data.series.map((one) => (
              <tr key={`${one.entity} ${one.country} ${one.type} ${one.year}`}>
                <td>{one.entity}</td>
                <td>{one.country}</td>
                <td>{one.type === 'INVOICE' ? '发票' : '红字'}</td>
                <td className="num">{one.year}</td>
                <td className="num">{one.pattern}</td>
                <td className="is-right num">{one.last}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** VAT设置: entities with their numbers and patterns, who issues where, rates, and what the series have given out. */
export default function VatSettings() {
  const { data, isError, error, refetch } = useCall(readSettings, {}, { staleTime: 0 });
  const mayEdit = useAllowed(EDIT);
  const [open, setOpen] = useState<Entity | 'new'>();
  return (
    <div className="page-list">
      <ListHead title="VAT设置" />
      <div className="vat-body">
        {isError && <ErrorState error={error} onRetry={() => void refetch()} />}
        {data && (
          <>
            <Entities data={data} mayEdit={mayEdit} onOpen={setOpen} />
            <Sites data={data} mayEdit={mayEdit} />
            <Rates data={data} mayEdit={mayEdit} />
            <SeriesTable data={data} />
          </>
        )}
      </div>
      {open && <EntityDialog of={open} onClose={() => setOpen(undefined)} />}
    </div>
  );
}
