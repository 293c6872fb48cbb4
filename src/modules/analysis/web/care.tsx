import { useEffect, useMemo } from 'react';
import { z } from 'zod';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { selectTags } from '#modules/system/contract/tags.ts';
import { careListings, carePeople, PaceWeights, readWeights, saveWeights } from '../contract/care.ts';
import { listWall, type WallRow } from '../contract/wall.ts';

const listed = (rows: readonly { id: string; name: string }[] | undefined) =>
  rows?.map(({ id, name }) => ({ value: id, label: name }));

/** People and tags that filters and forms offer; undefined while they load. */
export function useCareOptions() {
  const people = useCall(carePeople, {}, { staleTime: 60_000 }).data;
  const tags = useCall(selectTags, {}, { staleTime: 60_000 }).data;
  return useMemo(() => ({ people: listed(people), tags: listed(tags) }), [people, tags]);
}

/** Changes what people say of listings, and has the list read again. */
export function useCare() {
  return useSend(careListings, {
    refreshes: [listWall],
    onSuccess: ({ changed }) => notice.success(`已修改 ${changed} 个商品`),
  });
}

const Form = careListings.body.shape.set.omit({ hidden: true });

/** 负责人、标签、备注: what is filled in is changed in all of them, the rest stays. */
export function CareDialog({ rows, onClose }: { rows: readonly WallRow[] | undefined; onClose: () => void }) {
  const form = useForm(Form, {});
  const { reset } = form;
  const { people = [], tags = [] } = useCareOptions();
  const send = useCare();
  useEffect(() => {
    if (rows) reset({});
  }, [rows, reset]);
  return (
    <FormDialog
      title={`修改 ${rows?.length ?? 0} 个商品`}
      open={rows !== undefined}
      form={form}
      okText={`修改 ${rows?.length ?? 0} 个`}
      fields={{ ownerId: { options: people }, addTagIds: { options: tags }, removeTagIds: { options: tags } }}
      onSubmit={async (set) => {
        await send.mutateAsync({ body: { ids: (rows ?? []).map((row) => row.id), set } });
      }}
      onClose={onClose}
    >
      <p className="label">留空的项目保持不变。</p>
    </FormDialog>
  );
}

const Weights = PaceWeights.extend({ version: z.int().meta({ title: '版本', hidden: true }) });

/** 日均权重 of the company. */
export function WeightsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { data } = useCall(readWeights, {}, { enabled: open, staleTime: 0 });
  const form = useForm(Weights, {});
  const { reset } = form;
  useEffect(() => {
    if (data) reset(data);
  }, [data, reset]);
  const send = useSend(saveWeights, {
    refreshes: [readWeights, listWall],
    onSuccess: () => notice.success('已保存，正在重新计算'),
  });
  return (
    <FormDialog
      title="日均销量权重"
      open={open && data !== undefined}
      form={form}
      okText="保存"
      onSubmit={async (body) => {
        await send.mutateAsync({ body });
      }}
      onClose={onClose}
    >
      <p className="label">日均 = 各窗口的日均 × 权重之和，三个权重相加等于 1。</p>
    </FormDialog>
  );
}
