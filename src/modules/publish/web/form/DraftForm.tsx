import { useMemo } from 'react';
import type { DraftDetail, DraftIssue } from '../../contract/draft.ts';
import type { Attributes, FormModel, Values } from '../../contract/form.ts';
import { AttributeField, anchorOf } from './AttributeField.tsx';
import { PictureStrip, pictureNames } from './PictureStrip.tsx';

interface Props {
  form: FormModel;
  detail: Pick<DraftDetail, 'id' | 'isNew' | 'base'>;
  attributes: Attributes;
  /** Of the schema and of Amazon, the first ones in front. */
  issues: readonly DraftIssue[];
  required: readonly string[];
  excluded: readonly string[];
  disabled: boolean;
  onChange: (name: string, values: Values) => void;
}

const NONE: readonly DraftIssue[] = [];

/** The list of what is wrong; each line leads to its attribute. */
function Problems({ issues }: { issues: readonly DraftIssue[] }) {
  if (issues.length === 0) return null;
  return (
    <ul className="publish-problems" aria-label="需要处理的问题">
      {issues.map(({ attribute, label, message, severity }) => (
        <li key={`${attribute} ${message}`} className={severity === 'ERROR' ? 'danger' : 'warning'}>
          <a
            href={`#${anchorOf(attribute)}`}
            onClick={(event) => {
              event.preventDefault();
              document.getElementById(anchorOf(attribute))?.scrollIntoView({ block: 'center' });
            }}
          >
            {label ? `${label}：${message}` : message}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The form of a draft: property groups in Amazon's order, with what is asked for as things are. */
export function DraftForm({ form, detail, attributes, issues, required, excluded, disabled, onChange }: Props) {
  const byName = useMemo(() => new Map(form.attributes.map((one) => [one.name, one])), [form]);
  const told = useMemo(() => Map.groupBy(issues, ({ attribute }) => attribute), [issues]);
  const [needed, forbidden] = [new Set(required), new Set(excluded)];
  return (
    <div className="publish-form">
      <Problems issues={issues} />
      {form.groups.map(({ title, names }) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
          {pictureNames(names).length > 0 && (
            <PictureStrip
              draftId={detail.id}
              names={pictureNames(names)}
              attributes={attributes}
              disabled={disabled}
              onChange={onChange}
            />
          )}
          {names
            .filter((name) => !forbidden.has(name) || attributes[name] !== undefined)
            .map((name) => {
              const attribute = byName.get(name);
              if (!attribute) return null;
              const changed =
                !detail.isNew && JSON.stringify(attributes[name] ?? []) !== JSON.stringify(detail.base[name] ?? []);
              return (
                <AttributeField
                  key={name}
                  attribute={attribute}
                  values={attributes[name]}
                  required={needed.has(name)}
                  changed={changed}
                  disabled={disabled}
                  isNew={detail.isNew}
                  issues={told.get(name) ?? NONE}
                  onChange={onChange}
                />
              );
            })}
        </section>
      ))}
    </div>
  );
}
