import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { blocRequest } from '../contract/bloc.ts';
import { paymentRequest } from '../contract/requests.ts';
import { supplierSettlement } from '../contract/settlements.ts';

/** Documents of finance that money belongs to. */
const OURS = [blocRequest, paymentRequest, supplierSettlement];

interface Props {
  number: string;
  type: string;
  id: string;
}

/** The number of the document that a debt or an entry belongs to; a link where finance has its page. */
export function SubjectLink({ number, type, id }: Props) {
  const kind = OURS.find((one) => one.name === type);
  if (!kind) return number || '—';
  return (
    <TabLink to={kind.detail} title={number} query={{ id }}>
      {number}
    </TabLink>
  );
}
