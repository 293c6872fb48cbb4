import { Button } from 'antd';
import { useState } from 'react';
import { formatInteger, formatMoney } from '#kit/contract/format.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { call, useCall } from '#kit/web/api/index.ts';
import type { Figure } from '#kit/web/cards/Figures.tsx';
import { Copy, DueDay } from '#kit/web/cells/index.ts';
import { DocumentScreen, type DocumentTab, eventsOf, Stream, stepsOf } from '#kit/web/document/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { type ChecklistItem, claimDetail, dismissClaim } from '../../contract/claim-calls.ts';
import { CLAIM_EDIT, ClaimEvidence, type ClaimRow, ClaimType, fbaClaim, UNFILED } from '../../contract/claims.ts';
import { AMOUNTS } from '../../contract/facts.ts';
import { AnswerDialog, FileDialog } from '../claims/dialogs.tsx';
import { refreshClaims } from '../claims/refresh.ts';
import '../claims/claims.css';

const WAY = ['candidate', 'open', 'ready', 'filed', 'approved', 'paid'];
const TYPES = ClaimType.meta()?.states ?? {};
type Dialog = 'file' | 'answer';

const figuresOf = (claim: ClaimRow, checklist: readonly ChecklistItem[], seesAmounts: boolean): Figure[] => [
  { key: 'lost', label: '发生数量', value: formatInteger(claim.lost) },
  { key: 'found', label: '已找回', value: formatInteger(claim.found) },
  { key: 'paid', label: '已赔数量', value: formatInteger(claim.paid) },
  { key: 'qty', label: '可索赔', value: formatInteger(claim.qty) },
  ...(seesAmounts
    ? [
        {
          key: 'value',
          label: '索赔价值',
          value: claim.value === null ? '—' : formatMoney(claim.value, claim.currency),
        },
      ]
    : []),
  { key: 'opensOn', label: '可申请日', value: claim.opensOn },
  {
    key: 'deadline',
    label: '截止日',
    value: UNFILED.includes(claim.state) ? <DueDay day={claim.deadline} none="—" /> : claim.deadline,
  },
  {
    key: 'checklist',
    label: '资料',
    value: checklist.every(({ done }) => done)
      ? '齐全'
      : `缺${checklist
          .filter(({ done }) => !done)
          .map(({ title }) => title)
          .join('、')}`,
  },
];

function Buttons({ claim, onOpen }: { claim: ClaimRow | undefined; onOpen: (dialog: Dialog) => void }) {
  const is = (...states: ClaimRow['state'][]) => claim !== undefined && states.includes(claim.state);
  return (
    <Allowed code={CLAIM_EDIT}>
      {is('open', 'ready') && (
        <Button type="primary" onClick={() => onOpen('file')}>
          提交
        </Button>
      )}
      {is('partial', 'denied') && <Button onClick={() => onOpen('file')}>申诉</Button>}
      {is('filed') && (
        <Button type="primary" onClick={() => onOpen('answer')}>
          登记结果
        </Button>
      )}
    </Allowed>
  );
}

/** FBA索赔详情: what is open, the rows that tell of it, the text of the case and what became of it. */
export default function ClaimDetail() {
  const tab = useTab();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? '';
  const { data, error, refetch } = useCall(claimDetail, { params: { id } }, { staleTime: 0 });
  const [open, setOpen] = useState<Dialog>();
  const seesAmounts = useAllowed(AMOUNTS);
  const { claim, evidence, checklist = [], text = '' } = data ?? {};
  const dismiss = async (_name: string, reason?: string) => {
    const body = { id, reason: reason ?? '', ...(claim ? { version: claim.version } : {}) };
    notice.success((await call(dismissClaim, { body }, {})).message);
    await refreshClaims();
  };
  const tabs: DocumentTab[] = [
    {
      key: 'evidence',
      title: '证据',
      ...(evidence ? { count: evidence.length } : {}),
      content: <LineTable row={ClaimEvidence} rows={evidence} rowId={(row) => row.id} label="证据" />,
    },
    {
      key: 'text',
      title: '案件文本',
      content: (
        <div className="fba-claim-text">
          <Copy text={text} />
          <pre lang="en">{text}</pre>
        </div>
      ),
    },
  ];
  return (
    <>
      <DocumentScreen
        number={claim?.number}
        state={claim && fbaClaim.states[claim.state]}
        subject={
          claim &&
          [
            TYPES[claim.type]?.title,
            `${claim.store.name}-${claim.store.country}`,
            claim.product.code,
            claim.reference,
            claim.caseNo && `Case ${claim.caseNo}`,
          ]
            .filter(Boolean)
            .join(' · ')
        }
        steps={claim ? stepsOf(fbaClaim, WAY, claim.state) : []}
        figures={claim && figuresOf(claim, checklist, seesAmounts)}
        error={error}
        onRetry={() => void refetch()}
        head={<Buttons claim={claim} onOpen={setOpen} />}
        tabs={tabs}
        side={<Stream events={eventsOf(data?.timeline ?? [])} />}
        actions={data?.actions ?? []}
        onAction={dismiss}
      />
      {claim && open === 'file' && <FileDialog claim={claim} onClose={() => setOpen(undefined)} />}
      {claim && open === 'answer' && <AnswerDialog claim={claim} onClose={() => setOpen(undefined)} />}
    </>
  );
}
