import { countInvoices, invoiceDetail, listInvoices } from '../contract/invoices.ts';

/** What is read again after something was done to documents. */
export const REFRESHES = [listInvoices, countInvoices, invoiceDetail];
