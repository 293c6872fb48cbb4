import { useRef } from 'react';
import { ApiError, cacheKey, call, messageOf, queryClient, upload } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { type Entity, readSettings, removeLogo, saveLogo } from '../contract/settings.ts';
import './vat.css';

/** The picture that stands on an entity's documents, to be chosen, changed and taken away. */
export function Logo({ of, mayEdit }: { of: Entity; mayEdit: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const { id, version } = of;
  const take = async (step: () => Promise<unknown>, done: string) => {
    try {
      await step();
      notice.success(done);
    } catch (error) {
      if (error instanceof ApiError) notice.error(messageOf(error));
    } finally {
      await queryClient.invalidateQueries({ queryKey: cacheKey(readSettings) });
    }
  };
  return (
    <span className="vat-logo">
      {of.logo && <img src={of.logo} alt={`${of.name} Logo`} />}
      {mayEdit && (
        <>
          <button type="button" className="link" onClick={() => input.current?.click()}>
            {of.logo ? '更换' : '上传'}
          </button>
          {of.logo && (
            <button
              type="button"
              className="link"
              onClick={() =>
                void take(() => call(removeLogo, { body: { id, version } }, { quiet: true }), 'Logo已移除')
              }
            >
              移除
            </button>
          )}
          <input
            ref={input}
            type="file"
            hidden
            accept=".png,.jpg,.jpeg,.bmp"
            aria-label={`${of.name} Logo`}
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              target.value = '';
              if (file)
                void take(() => upload(saveLogo, { body: { id, version } }, file), 'Logo已更新，之后生成的发票使用');
            }}
          />
        </>
      )}
    </span>
  );
}
