export { DayPicker } from './DayPicker.tsx';
export { FormDialog } from './FormDialog.tsx';
export type { FormOption } from './fields.ts';
export { ReasonDialog } from './ReasonDialog.tsx';
export { type FieldSetting, SchemaForm } from './SchemaForm.tsx';
export { type FormState, useForm } from './use-form.ts';
