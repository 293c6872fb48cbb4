import { useMemo } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { type SubjectChoice, subjectChoices } from '../contract/subjects.ts';

interface Option {
  value: string;
  label: string;
  /** What it is found by: code, name and initials in upper case. */
  words: string;
}

/** Subjects that `fits` holds for, by code. */
export function useSubjectOptions(fits: (subject: SubjectChoice) => boolean): Option[] {
  const { data } = useCall(subjectChoices, { body: {} });
  return useMemo(
    () =>
      (data ?? []).filter(fits).map(({ id, code, name, initials }) => ({
        value: id,
        label: `${code} ${name}`,
        words: `${code} ${name} ${initials}`.toUpperCase(),
      })),
    [data, fits],
  );
}

/** Whether an option is what somebody looks for. */
export const found = (input: string, option: Option | undefined): boolean =>
  option?.words.includes(input.trim().toUpperCase()) ?? false;

/** Subjects that entries may stand on now. */
export const takesEntries = ({ leaf, active }: SubjectChoice): boolean => leaf && active;
/** Subjects on which entries stand. */
export const isLeaf = ({ leaf }: SubjectChoice): boolean => leaf;
/** All of them, for sums. */
export const anySubject = (): boolean => true;
