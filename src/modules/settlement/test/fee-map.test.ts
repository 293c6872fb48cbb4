import { describe, expect, it } from 'vitest';
import { leafPath } from '#sandbox/business/transactions.ts';
import { classify, classifyLeaf } from '../contract/fee-map.ts';

describe('the fee map', () => {
  it.each([
    ['Order', 'ItemPrice', 'Principal', 'PRINCIPAL'],
    ['Refund', 'ItemPrice', 'Principal', 'REFUND_PRINCIPAL'],
    ['Chargeback Refund', 'ItemPrice', 'Principal', 'CHARGEBACK'],
    ['A-to-z Guarantee Refund', 'ItemPrice', 'Principal', 'A2Z'],
    ['Order', 'ItemFees', 'Commission', 'COMMISSION'],
    ['Refund', 'ItemFees', 'Commission', 'REFUND_FEE_BACK'],
    ['Refund', 'ItemFees', 'RefundCommission', 'REFUND_ADMIN'],
    ['Refund', 'ItemFees', 'ShippingChargeback', 'SHIP_CHARGEBACK'],
    ['Order', 'ItemFees', 'DigitalServicesFee', 'DSF'],
    ['Order', 'ItemFees', 'Digital Services Fee', 'DSF'],
    ['Order', 'Shipment-Fees', 'FBA transportation fee', 'FBA_MCF'],
    ['Order', 'ItemFees', 'FBAPerOrderFulfilmentFee', 'FBA_FULFIL'],
    ['other-transaction', 'other-transaction', 'Storage Fee', 'FBA_STORAGE'],
    ['FBAFees', 'FBA Inventory Storage Fee', 'TransactionTotalAmount', 'FBA_STORAGE'],
    ['other-transaction', 'other-transaction', 'StorageRenewalBilling', 'FBA_AGED'],
    ['ServiceFee', 'Cost of Advertising', 'TransactionTotalAmount', 'AD_CASH'],
    ['ServiceFee', 'Cost of Advertising', 'TaxAmount', 'AD_CASH'],
    ['other-transaction', 'FBA Inventory Reimbursement', 'WAREHOUSE_LOST', 'REIMB_LOST'],
    ['other-transaction', 'other-transaction', 'Transfer of funds unsuccessful: bank account', 'TRANSFER_FAILED'],
    ['other-transaction', 'other-transaction', 'Micro Deposit', 'MICRO_DEPOSIT'],
    ['CouponRedemptionFee', 'CouponRedemptionFee', 'Save 10% - Summer: 0a1b', 'COUPON'],
    ['Order', 'ItemPrice', 'Something New', 'UNMAPPED'],
    ['Brand new', 'Brand new', 'Brand new', 'UNMAPPED'],
  ])('%s / %s / %s is %s', (transaction, type, description, code) => {
    expect(classify(transaction, type, description).code).toBe(code);
  });

  it('gives the leaves of a transaction the codes that the settlement file gets for the same money', () => {
    const pairs: [string, string, string, string][] = [
      ['Shipment', 'Order', 'ItemPrice', 'Principal'],
      ['Shipment', 'Order', 'ItemPrice', 'Tax'],
      ['Shipment', 'Order', 'ItemPrice', 'Shipping'],
      ['Shipment', 'Order', 'ItemPrice', 'GiftWrap'],
      ['Shipment', 'Order', 'ItemPrice', 'GiftWrapTax'],
      ['Shipment', 'Order', 'ItemWithheldTax', 'MarketplaceFacilitatorTax-Principal'],
      ['Shipment', 'Order', 'Promotion', 'Shipping'],
      ['Shipment', 'Order', 'ItemFees', 'Commission'],
      ['Shipment', 'Order', 'ItemFees', 'FBAPerUnitFulfillmentFee'],
      ['Shipment', 'Order', 'ItemFees', 'ShippingChargeback'],
      ['Shipment', 'Order', 'ItemFees', 'DigitalServicesFee'],
      ['Refund', 'Refund', 'ItemPrice', 'Principal'],
      ['Refund', 'Refund', 'Promotion', 'Principal'],
      ['Refund', 'Refund', 'ItemFees', 'Commission'],
      ['Refund', 'Refund', 'ItemFees', 'RefundCommission'],
      ['ServiceFee', 'other-transaction', 'other-transaction', 'Storage Fee'],
      ['ServiceFee', 'other-transaction', 'other-transaction', 'Subscription Fee'],
      ['ServiceFee', 'other-transaction', 'other-transaction', 'DisposalComplete'],
      ['ServiceFee', 'ServiceFee', 'Cost of Advertising', 'TransactionTotalAmount'],
      ['ServiceFee', 'CouponRedemptionFee', 'CouponRedemptionFee', 'CouponRedemptionFee'],
      ['Adjustment', 'other-transaction', 'FBA Inventory Reimbursement', 'WAREHOUSE_LOST'],
      ['ReserveCredit', 'other-transaction', 'other-transaction', 'Previous Reserve Amount Balance'],
      ['ReserveDebit', 'other-transaction', 'other-transaction', 'Current Reserve Amount'],
      ['ReserveDebit', 'other-transaction', 'other-transaction', 'Payable to Amazon'],
    ];
    for (const [apiType, transaction, type, description] of pairs) {
      const file = classify(transaction, type, description).code;
      expect(file, `${type}/${description}`).not.toBe('UNMAPPED');
      expect(classifyLeaf(apiType, leafPath(type, description)).code, `${type}/${description}`).toBe(file);
    }
  });

  it('looks up the tree where the leaf itself is only a technical name', () => {
    expect(classifyLeaf('Shipment', ['Expenses', 'AmazonFees', 'Commission', 'Base']).code).toBe('COMMISSION');
    expect(classifyLeaf('Shipment', ['Sales', 'ProductCharges', 'OurPricePrincipal']).code).toBe('PRINCIPAL');
    expect(classifyLeaf('Refund', ['Expenses', 'AmazonFees', 'Commission', 'Base']).code).toBe('REFUND_FEE_BACK');
    expect(classifyLeaf('Shipment', ['Expenses', 'Never Seen']).code).toBe('UNMAPPED');
  });
});
