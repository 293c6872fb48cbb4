import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { memo } from 'react';
import type { DraftIssue } from '../../contract/draft.ts';
import type { FormAttribute, Values } from '../../contract/form.ts';
import { Parts } from './Part.tsx';
import { newValue, shownValues, withValue } from './values.ts';

interface Props {
  attribute: FormAttribute;
  values: Values | undefined;
  required: boolean;
  changed: boolean;
  disabled: boolean;
  /** Of a listing that exists, what Amazon keeps. */
  isNew: boolean;
  issues: readonly DraftIssue[];
  onChange: (name: string, values: Values) => void;
}

/** Where links to an attribute lead. */
export function anchorOf(name: string): string {
  return `attribute-${name}`;
}

const isPicture = (values: Values): string | undefined => {
  const link = values[0]?.media_location;
  return typeof link === 'string' && /^https?:\/\//.test(link) ? link : undefined;
};

/** One attribute of the form with its values, and what is wrong with it below. */
export const AttributeField = memo(function AttributeField(props: Props) {
  const { attribute, values, required, changed, issues, isNew, onChange } = props;
  const { name, title, description, many, fields, locked } = attribute;
  const shown = shownValues(attribute, values);
  const isFixed = !isNew && fields.some(({ fixed }) => fixed);
  const disabled = props.disabled || locked !== undefined || isFixed;
  const picture = isPicture(shown);
  const put = (at: number, value: Values[number] | undefined) => onChange(name, withValue(shown, at, value));
  const [first] = issues;
  return (
    <div className={`field publish-field${first ? ' is-invalid' : ''}`} id={anchorOf(name)}>
      <span className="field-label" title={description}>
        {title}
        {required && <i aria-hidden="true">*</i>}
        {changed && <span className="publish-changed">已修改</span>}
      </span>
      <div className="publish-values">
        {shown.map((value, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: values of an attribute have nothing else to be told apart by
          <div className="publish-line" key={index}>
            <Parts fields={fields} value={value} disabled={disabled} onChange={(next) => put(index, next)} />
            {shown.length > 1 && !disabled && (
              <Button
                type="text"
                size="small"
                icon={<DeleteOutlined />}
                aria-label={`删除${title}`}
                onClick={() => put(index, undefined)}
              />
            )}
          </div>
        ))}
        {picture && <img className="publish-picture" src={picture} alt={title} />}
        {shown.length < many && !disabled && (
          <Button
            type="link"
            size="small"
            icon={<PlusOutlined />}
            onClick={() => onChange(name, [...shown, newValue(attribute)])}
          >
            添加
          </Button>
        )}
      </div>
      <span className="field-help">
        {issues.map(({ message }) => message).join('；') || locked || (isFixed ? '商品上架后不能修改' : '')}
      </span>
    </div>
  );
});
