/** Address of the page for phones; with `id` of an order it shows that one. */
export const PHONE = '/amazon/sale/order/fulfillment/phone';
