import { Button } from 'antd';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { SELF_ADD, SELF_LABEL, SELF_PICK, SELF_SHIP, SELF_VIEW } from '../../contract/self/fields.ts';
import type { SelfRow } from '../../contract/self/rows.ts';
import { EDIT, lookAt, mayBuy, OFFLINE_EDIT, printLabels, printPacking, printPicks } from './shared.ts';

export type SelfDialog = 'way' | 'weigh' | 'pick' | 'back' | 'label' | 'void' | 'verdict';

interface Props {
  /** Undefined while it loads. */
  document: SelfRow | undefined;
  onOpen: (dialog: SelfDialog) => void;
}

interface Offer {
  label: string;
  code: string;
  when: boolean;
  run: () => void;
  /** What E presses. */
  edits?: boolean;
}

/** What can be done with a document beside its steps, by its state. */
export function SelfButtons({ document, onOpen }: Props) {
  const tab = useTab();
  if (!document) return null;
  const { id, number, state, origin, outAt, labelState } = document;
  const is = (...states: SelfRow['state'][]) => states.includes(state);
  const path = origin === 'OFFLINE' ? OFFLINE_EDIT : EDIT;
  const offers: Offer[] = [
    {
      label: '编辑',
      code: SELF_ADD,
      when: is('pending', 'short'),
      run: () => tab.open(path, { title: `编辑${number}`, query: { id } }),
      edits: true,
    },
    { label: '登记拣货', code: SELF_PICK, when: is('printing', 'ready'), run: () => onOpen('pick') },
    {
      label: '申请运单',
      code: SELF_LABEL,
      when: origin === 'PLATFORM' && outAt === null && mayBuy(document),
      run: () => onOpen('label'),
    },
    {
      label: '核实面单',
      code: SELF_LABEL,
      when: labelState === 'unknown',
      run: () => lookAt(id),
    },
    { label: '面单结果', code: SELF_LABEL, when: labelState === 'unknown', run: () => onOpen('verdict') },
    {
      label: '作废面单',
      code: SELF_LABEL,
      when: labelState === 'bought' && outAt === null,
      run: () => onOpen('void'),
    },
    { label: '物流信息', code: SELF_SHIP, when: !is('returned', 'cancelled'), run: () => onOpen('way') },
    { label: '称重', code: SELF_SHIP, when: !is('returned', 'cancelled'), run: () => onOpen('weigh') },
    {
      label: '异常退回',
      code: SELF_SHIP,
      when: outAt !== null && is('out', 'trouble', 'shipped'),
      run: () => onOpen('back'),
    },
    { label: '拣货单', code: SELF_VIEW, when: is('printing', 'ready'), run: () => printPicks([id]) },
    { label: '装箱清单', code: SELF_VIEW, when: true, run: () => printPacking(id) },
    { label: '面单', code: SELF_VIEW, when: true, run: () => printLabels([id]) },
  ];
  return offers
    .filter((offer) => offer.when)
    .map(({ label, code, run, edits }) => (
      <Allowed key={label} code={code}>
        <Button {...(edits ? { 'data-edit': true } : {})} onClick={run}>
          {label}
        </Button>
      </Allowed>
    ));
}
