import { Select } from 'antd';
import { useMemo } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import type { Place } from '../contract/rules.ts';
import { subjectChoices } from '../contract/subjects.ts';
import { found, takesEntries } from './choices.ts';

interface Props {
  places: readonly Place[];
  subjects: Readonly<Record<string, string>>;
  disabled: boolean;
  onChange: (subjects: Record<string, string>) => void;
}

const partOf = (key: string) => key.split(':')[0] ?? key;

/** Every place of a rule and the subject that it stands on; an empty choice is the preset, or that of the place above. */
export function RulePlaces({ places, subjects, disabled, onChange }: Props) {
  const { data } = useCall(subjectChoices, { body: {} });
  const names = useMemo(() => new Map((data ?? []).map(({ code, name }) => [code, `${code} ${name}`])), [data]);
  const options = useMemo(
    () =>
      (data ?? []).filter(takesEntries).map(({ code, name, initials }) => ({
        value: code,
        label: `${code} ${name}`,
        words: `${code} ${name} ${initials}`.toUpperCase(),
      })),
    [data],
  );
  const presets = new Map(places.map(({ key, preset }) => [key, preset]));
  const fallback = ({ key, preset }: Place) => {
    const code = preset || subjects[partOf(key)] || presets.get(partOf(key)) || '';
    return names.get(code) ?? (code ? `${code}（科目表中没有）` : '没有科目');
  };
  const put = (key: string, code: string | undefined) => {
    const { [key]: _, ...others } = subjects;
    onChange(code === undefined ? others : { ...others, [key]: code });
  };
  return (
    <ul className="accounting-places" aria-label="科目">
      {places.map((place) => (
        <li key={place.key} className={`accounting-place${place.isVariant ? ' is-variant' : ''}`}>
          <span>{place.title}</span>
          <Select
            aria-label={`${place.title}的科目`}
            style={{ width: '100%' }}
            showSearch={{ filterOption: found }}
            allowClear
            disabled={disabled}
            placeholder={fallback(place)}
            value={subjects[place.key] ?? null}
            options={options}
            onChange={(code: string | null | undefined) => put(place.key, code ?? undefined)}
          />
        </li>
      ))}
    </ul>
  );
}
