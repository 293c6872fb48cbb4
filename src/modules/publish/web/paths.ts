/** The form of one draft: `id`, or `listing` of the listing whose draft it is. */
export const FORM_PATH = '/amazon/listing/edit/form';
