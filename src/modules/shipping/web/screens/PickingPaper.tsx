import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { formatInteger } from '#kit/contract/format.ts';
import { blobOf, messageOf, useCall } from '#kit/web/api/index.ts';
import { stampText } from '#kit/web/cells/time.ts';
import { useSession } from '#kit/web/session.ts';
import { type PickingSheet, pickingCode, pickingSheet, type SheetItem } from '../../contract/picking.ts';
import '../paper.css';

/** The case as it comes, e.g. 「单箱24个, 重12.5kg, 60*40*40cm」; what nobody measured is left out. */
function caseWords({ boxnum, boxweight, boxlength, boxwidth, boxheight }: SheetItem): string {
  const known = (text: string | null) => text !== null && Number(text) > 0;
  return [
    boxnum ? `单箱${boxnum}个` : '',
    known(boxweight) ? `重${Number(boxweight)}kg` : '',
    known(boxlength) && known(boxwidth) && known(boxheight)
      ? `${Number(boxlength)}*${Number(boxwidth)}*${Number(boxheight)}cm`
      : '',
  ]
    .filter(Boolean)
    .join(', ');
}

function Code({ id }: { id: string }) {
  const { data: url } = useQuery({
    queryKey: ['picking-code', id],
    queryFn: async () => URL.createObjectURL(await blobOf(pickingCode, { params: { id, size: 3 } })),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return url ? <img className="paper-code" src={url} alt="扫码配货" /> : <span className="paper-code" />;
}

function Facts({ sheet }: { sheet: PickingSheet }) {
  const goal = `${sheet.groupname}-${sheet.country}${sheet.center ? `(${sheet.center})` : ''}`;
  const facts: [string, string][] = [
    ['发货单', sheet.shipmentid],
    ['创建日期', stampText(sheet.createdate).slice(0, 16)],
    ['SKU数量', formatInteger(sheet.skuamount)],
    ['发货数量', formatInteger(sheet.sumQuantity)],
    ['目的仓库', goal],
    ['发货仓库', sheet.warehouse],
    ['备注', sheet.remark || '—'],
    ['审核时间', sheet.auditime ? stampText(sheet.auditime).slice(0, 16) : '—'],
  ];
  return (
    <dl className="paper-facts">
      {facts.map(([title, value]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Item({ item }: { item: SheetItem }) {
  const words = caseWords(item);
  return (
    <tr>
      <td>{item.image ? <img src={item.image} width={40} height={40} alt="" /> : <span className="paper-blank" />}</td>
      <td>
        <div>{item.name}</div>
        <b className="code">{item.sku}</b>
        {item.place && <div className="paper-place">{item.place}</div>}
        {words && <small>{words}</small>}
      </td>
      <td className="code">{item.sellersku}</td>
      <td className="is-right num">{formatInteger(item.invquantity)}</td>
      <td className="is-right num">
        <b>{formatInteger(item.quantityShipped)}</b>
      </td>
      <td className="paper-hand" />
    </tr>
  );
}

/** 配货单 on paper: A4 upright, opened in a window of its own; the last column is written by hand. */
export default function PickingPaper() {
  const session = useSession();
  const id = new URLSearchParams(window.location.search).get('shipmentid') ?? '';
  const { data, error } = useCall(pickingSheet, { params: { id } }, { enabled: session !== null && id !== '' });
  if (session === null) return <p className="paper-words">未登录或登录已过期，请返回系统重新打开配货单</p>;
  if (error) return <p className="paper-words">{messageOf(error)}</p>;
  if (!data) return null;
  return (
    <main className="paper">
      <header>
        <div>
          <h1>配货单</h1>
          <Facts sheet={data} />
        </div>
        <Code id={id} />
      </header>
      <table>
        <thead>
          <tr>
            <th>图片</th>
            <th>名称/SKU</th>
            <th>平台SKU</th>
            <th className="is-right">可用库存</th>
            <th className="is-right">拟发货数</th>
            <th>配送数量</th>
          </tr>
        </thead>
        <tbody>
          {data.itemList.map((item) => (
            <Item key={`${item.sellersku} ${item.sku}`} item={item} />
          ))}
        </tbody>
      </table>
      <Button className="paper-print" type="primary" onClick={() => window.print()}>
        打印
      </Button>
    </main>
  );
}
