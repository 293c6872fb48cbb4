import { flatReader } from './flat.ts';

/** GET_SELLER_FEEDBACK_DATA: what buyers say about the seller. */
export const sellerFeedback = flatReader({
  type: 'GET_SELLER_FEEDBACK_DATA',
  title: '卖家反馈报告',
  columns: {
    day: { kind: 'day', name: 'Date', required: true, aliases: ['Datum', 'Fecha', 'Data', '日付'] },
    rating: {
      kind: 'int',
      name: 'Rating',
      required: true,
      aliases: ['Bewertung', 'Évaluation', 'Valutazione', '評価'],
    },
    comments: { kind: 'text', name: 'Comments', required: true, aliases: ['Kommentare', 'Commentaires', 'コメント'] },
    response: { kind: 'text', name: 'Response', aliases: ['Ihre Antwort', 'Your Response', '回答'] },
    orderId: { kind: 'need', name: 'Order ID', required: true, aliases: ['Bestellnummer', '注文番号'] },
    rater: { kind: 'text', name: 'Rater Email' },
  },
});
