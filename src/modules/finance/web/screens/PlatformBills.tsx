import '../finance.css';
import { useTab } from '#kit/web/tabs/scope.ts';
import { BillDetail } from '../bills/BillDetail.tsx';
import { BillList } from '../bills/BillList.tsx';

/** 供应商平台结算: the bills of 1688, or the one that the address names. */
export default function PlatformBills() {
  const id = new URLSearchParams(useTab().address.split('?')[1]).get('id');
  return id ? <BillDetail key={id} id={id} /> : <BillList />;
}
