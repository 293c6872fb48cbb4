/** The editor of one document: `id`. */
export const FORM_PATH = '/amazon/listing/aplus/form';
